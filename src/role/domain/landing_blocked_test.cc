// What stands in the way of a landing: red checks, conflicts, branches that move.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

TEST_CASE("a red check goes back to the coder as work and leaves the tree as it was") {
  for (const Autopilot level : {Autopilot::review_only, Autopilot::full}) {
    Repo r = at_level(level);
    r.checks_pass = false;
    const auto branches = r.git.branches;
    auto files = r.files;
    r.review(ApproveTask{});
    CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
    CHECK(inbox_of(r.state).empty());
    CHECK(r.state.reg.msg.contains("the checks are red: 1 of 9 failed"));
    CHECK(r.state.reg.msg.contains("Mend it, then: pairflow role handoff --to REVIEWER"));
    const std::string told = briefing_for(r.state, Role::coder, false);
    CHECK(told.contains("The log of the red checks ends:\n  > form_test: no such field\n"));
    CHECK(r.state.effort.change_requests == 1);
    CHECK(r.state.reg.ci_status == CiStatus::red);
    CHECK(r.state.reg.tests_passed == false);
    CHECK(r.state.reg.artifacts == std::vector<std::string>{"logs/checks.log"});
    CHECK(r.git.branches == branches);
    CHECK(r.git.checked_out == "feat/F001-log-in");
    CHECK(r.git.dirty.size() == 1);
    files.erase(std::string(kRegisterFile)), files.erase(task_path("T01-part-1"));
    for (const auto& [path, text] : files) CHECK(r.files.at(path) == text);
    CHECK(r.pulls.empty());
    // Mended, it lands.
    r.checks_pass = true;
    r.code(Handoff{Role::reviewer, "mended"});
    CHECK(r.review(ApproveFeature{}).ok());
    CHECK(where(r.state) == "PLANNER in_progress -");
    CHECK(r.state.red_log.empty());
  }
}

TEST_CASE("red checks do not end the automation: the coder mends, the reviewer approves again") {
  for (const Autopilot level : {Autopilot::review_only, Autopilot::full}) {
    Repo r = at_level(level);
    r.human(Automate{"run-1"});
    r.settle();
    r.checks_pass = false;
    r.review(ApproveTask{});
    CHECK(r.launched.back() == "CODER codex");
    CHECK(r.state.automation == "run-1");
    r.checks_pass = true;
    r.code(Start{}), r.code(Handoff{Role::reviewer, "mended"});
    CHECK(r.launched.back() == "REVIEWER gemini");
    r.review(Start{}), r.review(ApproveFeature{});
    CHECK(r.launched.back() == "PLANNER claude");
    CHECK(r.state.landings.back().ci == CiStatus::green);
  }
}

TEST_CASE("a red check of a task takes its approval back") {
  Repo r = at_level(Autopilot::full, 2);
  r.checks_pass = false;
  r.review(ApproveTask{});
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(r.state.work->done.empty());
  CHECK(r.state.work->task == "T01");
}

TEST_CASE("a conflict blocks with the reason and leaves the tree as it was") {
  Repo r = at_level(Autopilot::full);
  r.git.conflicts = {"src/a.cc"};
  const auto branches = r.git.branches;
  r.review(ApproveTask{});
  CHECK(where(r.state) == "CODER blocked feat/F001-log-in");
  CHECK(r.state.reg.msg.contains("it conflicts with main in src/a.cc"));
  CHECK(r.state.for_human);  // git's own files are out of an agent's reach
  CHECK(inbox_of(r.state).at(0).kind == "blocked");
  CHECK(r.git.branches == branches);
  CHECK(r.git.dirty.size() == 1);
}

TEST_CASE("a conflict of what waits is told before anything changes") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  r.git.conflicts = {"src/a.cc"};
  CHECK(r.me(ApproveFeature{}).what() ==
        "F001 Log in cannot be merged into main; conflicts in src/a.cc");
  CHECK(inbox_of(r.state).size() == 1);
  r.git.conflicts.clear();
  r.human(ApproveFeature{});
  r.git.conflicts = {"src/b.cc"};  // seen only when the merge is made
  r.settle();
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(inbox_of(r.state).at(0).text.contains("it conflicts with main in src/b.cc"));
  CHECK(r.git.branches.at("feat/F001-log-in") == CommitId("c0"));
  r.git.conflicts.clear();
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(inbox_of(r.state).empty());
}

TEST_CASE("a branch that moved since the approval is not moved") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  r.git.branches["feat/F001-log-in"] = CommitId("c99");
  r.me(ApproveFeature{});
  CHECK(r.git.branches.at("feat/F001-log-in") == CommitId("c99"));
  CHECK(inbox_of(r.state).at(0).text.contains("has moved since it was approved"));
}

TEST_CASE("a default branch that moves in between is merged onto again") {
  Repo r = at_level(Autopilot::full);
  r.as(kRead, ApproveTask{});
  r.stop_early = true;
  while (r.state.landings.at(0).stage != Stage::move) r.settle(1);
  const CommitId other = r.git.make(kRoadmap);
  r.git.branches["main"] = other;
  r.settle();
  CHECK(r.state.landings.at(0).onto == other);
  CHECK(r.git.branches.at("main") == r.state.landings.at(0).merged);
}

}  // namespace
}  // namespace pf::role
