#include "agents/readiness.h"

#include <doctest/doctest.h>

namespace pf {

TEST_CASE("Claude Code: ready when the last box is empty") {
  CHECK(input_box("claude",
                  "Claude Code v2.1\n────\n❯\xc2\xa0\n────\n  ⏵⏵ bypass permissions on\n") ==
        InputBox::empty);
  CHECK(input_box("claude", "────\n❯ some words\n────\n") == InputBox::occupied);
  CHECK(input_box("claude", "Do you trust this?\n❯ 1. Yes\n  2. No, exit\n") == InputBox::occupied);
  CHECK(input_box("claude", "") == InputBox::occupied);
  CHECK(input_box("claude", "❯ an earlier prompt\n● done\n────\n❯ \n────\n  ? for shortcuts\n") ==
        InputBox::empty);
}

TEST_CASE("Codex CLI: the box alone is painted before it works") {
  CHECK(input_box("codex", "› Ask Codex to do anything\n\n  gpt-5.5 medium · /work/tree\n") ==
        InputBox::empty);
  CHECK(input_box("codex", "› Ask Codex to do anything\n") == InputBox::occupied);
  CHECK(input_box("codex", "› half a thought\n\n  gpt-5.5 medium · /work/tree\n") ==
        InputBox::occupied);
}

TEST_CASE("other agents have no box that we know") {
  CHECK(input_box("custom", "❯ \n") == InputBox::unknown);
  CHECK(input_box("scripted", "") == InputBox::unknown);
}

}  // namespace pf
