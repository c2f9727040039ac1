#include "config/check_profile.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

CheckProfile configured() {
  Settings settings;
  settings.commands = {{"test", "make test"}, {"lint", "make lint"}};
  return configured_profile(settings);
}

}  // namespace

TEST_CASE("a flag adds or replaces its own name only") {
  CheckProfile profile = configured();
  set_check(profile, {"test", "make quick"});
  set_check(profile, {"typecheck", "tsc"});
  CHECK(in_words(profile) ==
        "  test: make quick   (flag)\n"
        "  lint: make lint   (configuration)\n"
        "  typecheck: tsc   (flag)\n");
}

TEST_CASE("what is detected comes beside what is configured, the first of each name") {
  CheckProfile profile = configured();
  add_detected(profile, {{"test", "npm test", "package.json has a test script"},
                         {"typecheck", "tsc", "tsconfig.json is there"},
                         {"typecheck", "tsc -b", "it has references"}});
  CHECK(in_words(profile) ==
        "  test: make test   (configuration)\n"
        "  lint: make lint   (configuration)\n"
        "  typecheck: tsc   (detected: tsconfig.json is there)\n");
}

TEST_CASE("a check goes by the human's word alone, which is kept") {
  CheckProfile profile = configured();
  CHECK(drop_check(profile, "lint"));
  CHECK(in_words(profile) == "  test: make test   (configuration)\n  dropped by you: lint\n");
  const auto again = drop_check(profile, "lint");
  REQUIRE_FALSE(again);
  CHECK(again.error().exit == Exit::usage);
  CHECK(again.error().why == "the checks are: test");
  set_check(profile, {"lint", "true"});
  CHECK(profile.dropped.empty());
}

TEST_CASE("one command does not set and drop the same check") {
  CheckProfile profile = configured();
  const auto both = change_by_flags(profile, {{"test", "make quick"}}, {"lint", "test"});
  REQUIRE_FALSE(both);
  CHECK(both.error().exit == Exit::usage);
  CHECK(both.error().what == "--test and --drop-check test exclude each other");
  CHECK(change_by_flags(profile, {{"lint", "true"}}, {"lint"}).error().what ==
        "--check lint=… and --drop-check lint exclude each other");
  CHECK(change_by_flags(profile, {{"typecheck", "tsc"}}, {"lint"}));
  CHECK(in_words(profile) ==
        "  test: make test   (configuration)\n  typecheck: tsc   (flag)\n  dropped by you: lint\n");
}

}  // namespace pf
