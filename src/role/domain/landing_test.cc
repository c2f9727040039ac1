#include "role/domain/landing.h"

#include "role/domain/testing.h"

namespace pf::role {
namespace {

using namespace testing;

TEST_CASE("lowered: asks where it would have gone on, unless it moves already or a human said so") {
  Landing landing;
  landing.kind = LandingKind::feature, landing.into = "main", landing.level = Autopilot::full;
  landing.commits = landing.checked = landing.posts = true;
  for (const Stage stage : {Stage::prepare, Stage::checks, Stage::merge}) {
    landing.stage = stage;
    const auto asked = lowered(landing, Autopilot::off);
    REQUIRE(asked);
    CHECK(asked->asks);
    CHECK_FALSE(asked->posts);
    CHECK(asked->stage == (stage == Stage::merge ? Stage::clear : stage));
    CHECK(std::ranges::count(stages_of(*asked), Stage::approval) == 1);
  }
  for (const Stage stage : {Stage::commit, Stage::move, Stage::clear, Stage::landed}) {
    landing.stage = stage;
    CHECK_FALSE(lowered(landing, Autopilot::off));
  }
  landing.stage = Stage::checks;
  CHECK_FALSE(lowered(landing, Autopilot::full));
  landing.by_word = true;
  CHECK_FALSE(lowered(landing, Autopilot::off));
}

TEST_CASE("lowered: a task without a branch of its own is only committed, as review_only allows") {
  Landing landing;
  landing.level = Autopilot::full, landing.commits = landing.checked = true;
  CHECK_FALSE(lowered(landing, Autopilot::review_only));
  const auto asked = lowered(landing, Autopilot::off);
  REQUIRE(asked);
  CHECK(stages(*asked) == "prepare checks approval commit landed");
}

}  // namespace
}  // namespace pf::role
