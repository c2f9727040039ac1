// What the human sends back to its coder, with the work as it is.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

Repo waiting(Autopilot level = Autopilot::off, int tasks = 2) {
  Repo r = at_level(level, tasks);
  r.review(ApproveTask{});
  for (int i = 1; i < tasks; ++i) {
    r.plan(Handoff{Role::coder, "next"});
    r.code(Handoff{Role::reviewer, "done"});
    r.review(ApproveTask{});
  }
  must(r.state.waiting() != nullptr, "it waits");
  return r;
}

TEST_CASE("rework: what waits comes back into the checkout, on its branch, with its tasks") {
  for (const Autopilot level : {Autopilot::off, Autopilot::review_only}) {
    Repo r = waiting(level);
    const auto branches = r.git.branches;
    CHECK(inbox_of(r.state).at(0).otherwise.at(0) == "pairflow role rework F001 --message \"…\"");
    const Done done = r.me(Rework{"F001", "The form loses its values"});
    CHECK(envelopes(done.events) == "human.rework human>both");
    CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
    CHECK(r.state.reg.plan_slug == "log-in");
    CHECK(r.state.reg.msg.contains("The form loses its values"));
    CHECK(r.git.branches == branches);
    CHECK(r.git.checked_out == "feat/F001-log-in");
    CHECK(r.git.dirty.size() == 1);
    CHECK(r.files.contains(task_path("T02-part-2")));
    CHECK(r.files.at(std::string(kRoadmapFile)).contains("- [ ] F001"));
    CHECK(r.state.work->kept.empty());  // its files are there
    CHECK(r.state.work->done == std::vector<std::string>{"T01", "T02"});
    CHECK(inbox_of(r.state).empty());
    // No task is open: the feature is reviewed as a whole, and waits again.
    r.code(Start{}), r.code(Handoff{Role::reviewer, "mended"});
    CHECK(to_do(r.state, Role::reviewer, true, {}).contains("pairflow role approve-feature"));
    CHECK(r.review(ApproveFeature{}).ok());
    CHECK(r.state.waiting() != nullptr);
    CHECK(r.me(ApproveFeature{}).ok());
    CHECK(r.git.roadmaps[r.git.branches.at("main")].contains("[x] F001"));
  }
}

TEST_CASE("rework: the words reach every role and stay until the feature is finished") {
  Repo r = waiting();
  r.me(Rework{"F001", "The form loses its values"});
  const auto told = [&](Role role) {
    return briefing_for(r.state, role, false)
        .contains("The human said about F001:\n  > The form loses its values\n");
  };
  for (const Role role : {Role::planner, Role::coder, Role::reviewer}) CHECK(told(role));
  r.code(Handoff{Role::planner, "it needs a task more"});
  r.write_tasks(3);
  r.plan(Handoff{Role::coder, "T03"});
  CHECK(told(Role::coder));
  r.code(Handoff{Role::reviewer, "done"});
  r.review(ApproveTask{});
  // It waits again, and a second word joins the first.
  r.me(Rework{"F001", "And the button is gone"});
  CHECK(told(Role::coder));
  CHECK(briefing_for(r.state, Role::coder, false).contains("  > And the button is gone\n"));
  r.code(Handoff{Role::reviewer, "done"});
  r.review(ApproveFeature{});
  r.me(ApproveFeature{});
  r.write_tasks(1);
  r.plan(Handoff{Role::coder, "x", {}, "F002"});
  CHECK_FALSE(told(Role::coder));
}

TEST_CASE("rework: a task is open again") {
  Repo r = waiting();
  CHECK(r.me(Rework{"F001", "Check the password, too", "T01"}).ok());
  CHECK(r.state.work->task == "T01");
  CHECK(r.state.work->done == std::vector<std::string>{"T02"});
  CHECK(r.state.work->words.at(0).task == "T01");
  r.code(Handoff{Role::reviewer, "done"});
  r.review(ApproveTask{});
  CHECK(r.state.waiting() != nullptr);
}

TEST_CASE("rework: what is refused names what can be sent back") {
  Repo r = waiting();
  const std::string before = Repo::essence(r.state);
  CHECK(r.me(Rework{"F001", ""}).exit() == 2);
  CHECK(r.me(Rework{"F001", " \n"}).exit() == 2);
  CHECK(r.me(Rework{"F001", std::string(201, 'x')}).exit() == 2);
  CHECK(r.me(Rework{"F009", "x"}).what() ==
        "F009 is not in docs/ROADMAP.md; these can be sent back: F001");
  CHECK(r.me(Rework{"F002", "x"}).what() ==
        "F002 neither waits for you nor is it worked on; these can be sent back: F001");
  CHECK(r.me(Rework{"F001", "x", "T07"}).what() ==
        "there is no task T07 of F001; its tasks: T01, T02");
  CHECK(r.as(kCode, Rework{"F001", "x"}).exit() == 1);
  CHECK(Repo::essence(r.state) == before);
  r.me(ApproveFeature{});
  CHECK(r.me(Rework{"F001", "x"}).what() == "F001 has landed; nothing can be sent back now");
}

TEST_CASE("rework: while another feature is in the checkout, or an agent at work, it is refused") {
  Repo r = waiting(Autopilot::off, 1);
  r.write_tasks(1);
  CHECK(r.me(Rework{"F001", "x"}).what().contains("not committed: docs/current/T01-part-1.md"));
  r.plan(Handoff{Role::coder, "x", {}, "F002"});
  const Done refused = r.me(Rework{"F001", "x"});
  CHECK(refused.what() ==
        "F002 is under way in the checkout; the files of two features cannot be there at once");
  CHECK(refused.rejection->error.fix.contains("pairflow role run"));
  r.human(Automate{"x"}), r.settle();
  const Done busy = r.me(Rework{"F002", "x"});
  CHECK(busy.what().contains("codex is at work as CODER"));
  CHECK(busy.rejection->error.fix.contains("pairflow role pause"));
  r.me(StopAutomation{"enough"});
  CHECK(r.me(Rework{"F002", "x"}).ok());  // which is in the checkout
}

TEST_CASE("rework: dirty files and a branch that moved are named") {
  Repo r = waiting(Autopilot::off, 1);
  r.git.dirty = {"notes.txt"};
  CHECK(r.me(Rework{"F001", "x"}).what().contains("not committed: notes.txt"));
  r.git.dirty.clear();
  r.git.branches["feat/F001-log-in"] = CommitId("c99");
  const Done moved = r.me(Rework{"F001", "x"});
  CHECK(moved.what().contains("feat/F001-log-in has moved since it was approved"));
  CHECK(moved.rejection->error.fix == "put it back: git branch -f feat/F001-log-in c0");
  r.git.branches.erase("feat/F001-log-in");
  CHECK(r.me(Rework{"F001", "x"}).what().contains("is gone"));
}

TEST_CASE("rework: files that cannot come back block for the human, and come with the next try") {
  Repo r = waiting(Autopilot::off, 1);
  CHECK(r.human(Rework{"F001", "x"}).ok());
  r.orchestrator(ReportBranch{"feat/F001-log-in", "not committed: a"});
  CHECK(where(r.state) == "PLANNER blocked feat/F001-log-in");
  CHECK(r.state.for_human);
  CHECK_FALSE(r.state.work->kept.empty());
  CHECK(r.me(Handoff{Role::coder, "it is out of the way"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(r.state.work->kept.empty());
  CHECK(r.files.contains(task_path("T01-part-1")));
}

TEST_CASE("rework: a risky task that waits, and what has stopped, go back in place") {
  Repo r = Repo::begun();
  r.write_tasks(2);
  r.plan(Handoff{Role::coder, "x", {}, "F001", "", "", "", "risky"});
  r.code(Handoff{Role::reviewer, "done"});
  r.git.dirty = {"src/a.cc"};
  r.review(ApproveTask{});
  CHECK(r.state.at_hand()->stage == Stage::approval);
  CHECK(r.me(Rework{"F001", "x", "T02"}).what().contains("T01 is on a branch of its own"));
  CHECK(r.me(Rework{"F001", "Smaller steps"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in--T01-part-1");
  CHECK(r.state.work->task == "T01");
  CHECK(r.state.work->done.empty());
  CHECK(r.state.at_hand() == nullptr);
  Repo stopped = at_level(Autopilot::full);
  stopped.git.conflicts = {"src/a.cc"};
  stopped.review(ApproveTask{});
  CHECK(where(stopped.state) == "CODER blocked feat/F001-log-in");
  CHECK(stopped.me(Rework{"F001", "Leave a.cc alone"}).ok());
  CHECK(where(stopped.state) == "CODER handoff feat/F001-log-in");
}

}  // namespace
}  // namespace pf::role
