// What lands is what was checked: the default branch has moved, and a merge is neither side's own.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

Repo apart(Autopilot level) {
  Repo r = at_level(level);
  r.git.branches["main"] = r.git.make(kRoadmap);
  r.git.merged_tree = "both";
  return r;
}
const Landing& only(const Repo& r) { return r.state.landings.at(0); }

TEST_CASE("full: the merge is checked before any branch moves; red goes back to the coder") {
  Repo r = apart(Autopilot::full);
  r.merges_pass = false;
  const auto branches = r.git.branches;
  r.review(ApproveTask{});
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(r.state.reg.msg.contains("the checks are red on the merge with main: 1 of 9 failed"));
  CHECK(r.state.reg.msg.contains("stopped at merge_checks"));
  CHECK(r.state.reg.tests_passed == false);
  CHECK(r.git.branches == branches);
  CHECK(r.merge_checks.size() == 1);
  r.merges_pass = true;
  r.code(Handoff{Role::reviewer, "mended"});
  CHECK(r.review(ApproveFeature{}).ok());
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(r.merge_checks.back() == r.git.branches.at("main").str());
}

TEST_CASE("a merge that is one of its sides, or was judged before, is not checked again") {
  Repo r = apart(Autopilot::full);
  r.git.merged_tree.clear();
  r.review(ApproveTask{});
  CHECK(r.merge_checks.empty());
  CHECK(where(r.state) == "PLANNER in_progress -");
}

TEST_CASE("off: after the human's word the merge is checked; red waits for another word") {
  Repo r = apart(Autopilot::off);
  r.merges_pass = false;
  r.review(ApproveTask{});
  CHECK(stages(only(r)) == "prepare checks clear approval merge merge_checks commit move landed");
  CHECK(r.merge_checks.empty());
  const auto branches = r.git.branches;
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches == branches);
  CHECK(inbox_of(r.state).at(0).text.contains("the checks are red on the merge with main"));
  CHECK(only(r).stage == Stage::approval);
  CHECK(r.me(ApproveFeature{}).ok());  // it is tried again, not waved through
  CHECK(r.git.branches == branches);
  CHECK(r.merge_checks.size() == 2);
  r.merges_pass = true;
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") == only(r).merged);
}

TEST_CASE("off: red that the human let pass on the feature itself does not stop its merge") {
  Repo r = apart(Autopilot::off);
  r.checks_pass = r.merges_pass = false;
  r.review(ApproveTask{});
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") == only(r).merged);
}

TEST_CASE("review_only: red on the merge waits; the feature's own branch has its commit") {
  Repo r = apart(Autopilot::review_only);
  r.merges_pass = false;
  r.review(ApproveTask{});
  const CommitId main = r.git.branches.at("main");
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") == main);
  CHECK(inbox_of(r.state).at(0).text.contains("the checks are red on the merge with main"));
  r.merges_pass = true;
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") == only(r).merged);
}

// Settles until the landing is about to move the default branch, which then moves by itself.
void move_main_before_the_landing(Repo& r) {
  r.stop_early = true;
  while (only(r).stage != Stage::move) r.settle(1);
  r.git.branches["main"] = r.git.make(kRoadmap);
  r.stop_early = false;
}

TEST_CASE("a default branch that moves in between is checked again, never merged unchecked") {
  Repo r = apart(Autopilot::full);
  r.as(kRead, ApproveTask{});
  move_main_before_the_landing(r);
  r.git.merged_tree = "all three";
  r.settle();
  CHECK(r.merge_checks.size() == 2);
  CHECK(r.git.branches.at("main").str() == r.merge_checks.back());
  CHECK(where(r.state) == "PLANNER in_progress -");
}

TEST_CASE("the same tree again needs no second run") {
  Repo r = apart(Autopilot::full);
  r.as(kRead, ApproveTask{});
  move_main_before_the_landing(r);
  r.settle();
  CHECK(r.merge_checks.size() == 1);
  CHECK(r.git.branches.at("main") == only(r).merged);
}

TEST_CASE(
    "red after the feature's branch has its commit: it waits, and the way on is the human's") {
  Repo r = apart(Autopilot::full);
  r.as(kRead, ApproveTask{});
  move_main_before_the_landing(r);
  const CommitId main = r.git.branches.at("main");
  r.git.merged_tree = "all three";
  r.merges_pass = false;
  r.settle();
  CHECK(r.git.branches.at("main") == main);
  CHECK(inbox_of(r.state).at(0).text.contains("the checks are red on the merge with main"));
  CHECK_FALSE(can_drop(only(r)));
  r.merges_pass = true;
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") == only(r).merged);
  CHECK(r.merge_checks.size() == 3);
}

TEST_CASE("a default branch that never rests is given up on, for the human") {
  Repo r = apart(Autopilot::full);
  r.as(kRead, ApproveTask{});
  r.stop_early = true;
  for (int i = 0; i < 9 && only(r).trouble.empty(); ++i) {
    while (only(r).stage != Stage::move && only(r).trouble.empty()) r.settle(1);
    r.git.merged_tree = fmt::format("tree {}", i);
    r.git.branches["main"] = r.git.make(kRoadmap);
    while (only(r).stage == Stage::move) r.settle(1);
  }
  CHECK(only(r).trouble == "main moves faster than it can be checked");
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") == only(r).merged);
}

TEST_CASE("lowered while the merge is checked: it asks") {
  Landing landing;
  landing.kind = LandingKind::feature, landing.into = "main", landing.level = Autopilot::full;
  landing.commits = landing.checked = landing.posts = true;
  landing.stage = Stage::merge_checks;
  CHECK(lowered(landing, Autopilot::off)->stage == Stage::clear);
  landing.made = true;
  CHECK_FALSE(lowered(landing, Autopilot::off));
}

}  // namespace
}  // namespace pf::role
