#include <doctest/doctest.h>

#include "agents/program.h"
#include "agents/testing.h"

namespace pf {

TEST_CASE("a version that was tried is known, any other is advisory") {
  CHECK(judge_version(kind_named("claude"), "2.1.325 (Claude Code)").in_words() ==
        "claude 2.1.325");
  CHECK(judge_version(kind_named("codex"), "codex-cli 0.166.0").in_words() == "codex 0.166.0");
  for (const char* other : {"2.1.196 (Claude Code)", "2.2.0", "3.0.1-beta", "1.9.9"}) {
    CAPTURE(other);
    const auto version = judge_version(kind_named("claude"), other);
    CHECK_FALSE(version.tried);
    CHECK(version.in_words().starts_with("advisory: claude "));
  }
  CHECK(judge_version(kind_named("claude"), "").text == "claude of unknown version");
  CHECK(judge_version(kind_named("claude"), "2.1").text == "claude of unknown version");
  CHECK(judge_version(kind_named("codex"), "99999999999.1.1").text == "codex of unknown version");
  CHECK(judge_version(kind_named("custom"), "1.2.3").text.empty());
}

}  // namespace pf
