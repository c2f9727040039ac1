// What each level of the autopilot does with an approved task and an approved feature.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

// A risky task on a branch of its own, before the reviewer.
Repo risky(Autopilot level) {
  Repo r = Repo::begun();
  r.write_tasks(2);
  r.plan(Handoff{Role::coder, "x", {}, "F001", "", "", "", "risky"});
  r.code(Handoff{Role::reviewer, "done"});
  r.git.dirty = {"src/a.cc"};
  r.me(SetAutopilot{level});
  return r;
}

TEST_CASE("off: commit and merge wait in the inbox, the loop goes on") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(stages(r.state.landings.at(0)) ==
        "prepare checks clear approval merge merge_checks commit move landed");
  CHECK(r.git.branches.at("main") == CommitId("c0"));
  CHECK(r.git.branches.at("feat/F001-log-in") == CommitId("c0"));
  CHECK(r.pulls.empty());
  const auto items = inbox_of(r.state);
  REQUIRE(items.size() == 1);
  CHECK(items[0].kind == "commit");
  CHECK(items[0].text ==
        "F001 Log in is approved by the reviewer. Committing and merging it into main waits for "
        "you. Checks: green.");
  CHECK(items[0].command == "pairflow role approve-feature --feature F001");
  // The same feature is not begun again meanwhile.
  CHECK(
      r.plan(Handoff{Role::coder, "x", {}, "F001"}).what().contains("F001 is finished and waits"));
  CHECK(r.as(kRead, ApproveFeature{}).reason() == "not_your_turn");
  CHECK(envelopes(r.me(ApproveFeature{}).events) == "human.approved human>orchestrator");
  CHECK(inbox_of(r.state).empty());
  CHECK(r.git.branches.at("main") != CommitId("c0"));
  CHECK(r.git.roadmaps[r.git.branches.at("main")].contains("[x] F001"));
  CHECK(r.summaries.empty());
}

TEST_CASE("off: two features wait side by side and both can land") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  r.write_tasks(1);
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F002"}).ok());
  CHECK(r.git.branches.at("feat/F002-search") == CommitId("c0"));
  r.code(Handoff{Role::reviewer, "x"});
  r.review(ApproveTask{});
  CHECK(inbox_of(r.state).size() == 2);
  CHECK_FALSE(r.observed().feature_left);
  CHECK(r.me(ApproveFeature{}).what() == "several features could be meant: F001, F002; ");
  CHECK(r.me(ApproveFeature{"", "F002"}).ok());
  CHECK(r.me(ApproveFeature{"", "F001"}).ok());
  CHECK(r.git.roadmaps[r.git.branches.at("main")] ==
        "# Roadmap\n\n- [x] F001: Log in\n- [x] F002: Search\n");
  CHECK(r.me(ApproveFeature{"", "F001"}).exit() == 1);
}

TEST_CASE("off: red checks are told, the human decides") {
  Repo r = at_level(Autopilot::off);
  r.checks_pass = false;
  r.review(ApproveTask{});
  CHECK(inbox_of(r.state).at(0).text.contains("Checks: red."));
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") != CommitId("c0"));
}

TEST_CASE("off: tasks are approved without a commit") {
  Repo r = at_level(Autopilot::off, 2);
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER handoff feat/F001-log-in");
  CHECK(r.state.reg.last_agent == "REVIEWER");
  CHECK(r.state.landings.empty());
  CHECK(r.git.dirty.size() == 1);
}

TEST_CASE("off: a risky task's merge waits, and the loop with it") {
  Repo r = risky(Autopilot::off);
  r.review(ApproveTask{});
  CHECK(where(r.state) == "REVIEWER done feat/F001-log-in--T01-part-1");
  CHECK(inbox_of(r.state).at(0).command == "pairflow role approve-task");
  CHECK(r.as(kRead, Start{}).reason() == "landing");
  CHECK(r.me(ApproveTask{}).ok());
  CHECK(where(r.state) == "PLANNER handoff feat/F001-log-in");
  CHECK(r.git.checked_out == "feat/F001-log-in");
  CHECK(r.git.branches.at("feat/F001-log-in") != CommitId("c0"));
  CHECK(r.git.branches.at("main") == CommitId("c0"));
}

TEST_CASE("off: a human's own word on the feature needs no second one") {
  Repo r = at_level(Autopilot::off, 0);
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(r.git.branches.at("main") != CommitId("c0"));
  CHECK(r.state.landings.at(0).stage == Stage::landed);
  // His word on the last task is not yet one on the merge.
  Repo task = at_level(Autopilot::off);
  task.me(ApproveTask{});
  CHECK(task.git.branches.at("main") == CommitId("c0"));
  CHECK(inbox_of(task.state).size() == 1);
}

TEST_CASE("off: what is not committed where it would be merged is told before anything changes") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  const std::string before = Repo::essence(r.state);
  r.git.in_the_way = {"notes.txt"};
  const Done refused = r.human(ApproveFeature{});
  CHECK(refused.what().contains("main has changes that are not committed; notes.txt"));
  CHECK(Repo::essence(r.state) == before);
  r.git.in_the_way.clear();
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") != CommitId("c0"));
}

TEST_CASE("checks count for the commit that they ran on") {
  Repo r = at_level(Autopilot::full);
  r.as(kRead, ApproveTask{});
  r.stop_early = true;
  while (r.state.landings.at(0).stage != Stage::checks) r.settle(1);
  const Landing landing = r.state.landings.at(0);
  CHECK(r.orchestrator(ReportChecks{landing.number, CommitId("another"), true}).events.empty());
  CHECK(r.state.landings.at(0).stage == Stage::checks);
  CHECK_FALSE(r.orchestrator(ReportChecks{landing.number, landing.commit, true}).events.empty());
  CHECK(r.state.landings.at(0).stage == Stage::merge);
}

TEST_CASE("off: what waits can be declined, and the feature begun again") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  CHECK(r.me(Decline{"F002"}).exit() == 1);
  CHECK(r.me(Decline{"F001", "not before May"}).ok());
  CHECK(inbox_of(r.state).empty());
  const Landing declined = r.state.landings.at(0);
  CHECK(declined.stage == Stage::dropped);
  CHECK(r.git.branches.at("feat/F001-log-in") == declined.commit);  // the work is on its branch
  CHECK(declined_text(declined).contains("The work is kept on feat/F001-log-in."));
  CHECK(briefing_for(r.state, Role::planner, false)
            .contains("The human declined F001 Log in; the work is on feat/F001-log-in:\n"
                      "  > not before May\n"));
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001"}).ok());
  CHECK(r.git.branches.at("feat/F001-log-in") == declined.commit);  // it goes on from there
  CHECK(briefing_for(r.state, Role::coder, false)
            .contains("The human said about F001:\n  > not before May\n"));
  Repo task = risky(Autopilot::off);
  task.review(ApproveTask{});
  CHECK(task.me(Decline{"F001", "split it"}).ok());
  CHECK(where(task.state) == "CODER handoff feat/F001-log-in--T01-part-1");
  CHECK(task.state.work->done.empty());
}

TEST_CASE("off: a branch that moved since is left alone when its feature is declined") {
  Repo r = at_level(Autopilot::off);
  r.review(ApproveTask{});
  r.git.branches["feat/F001-log-in"] = CommitId("c99");
  CHECK(r.me(Decline{"F001"}).ok());
  CHECK(r.git.branches.at("feat/F001-log-in") == CommitId("c99"));
  CHECK(declined_text(r.state.landings.at(0))
            .contains("feat/F001-log-in has moved; the work is kept in refs/pairflow/1."));
}

TEST_CASE("what is declined is merged nowhere, however far it had come") {
  Landing landing{.into = "main"};
  landing.kind = LandingKind::feature;
  landing.stage = Stage::landed;
  CHECK(is_merged(landing));
  landing.stage = Stage::dropped;
  CHECK_FALSE(is_merged(landing));
}

TEST_CASE("off: a feature that has left the tree is cleared before it can be declined") {
  Repo r = at_level(Autopilot::off);
  r.as(kRead, ApproveTask{});
  r.stop_early = true;
  while (r.state.landings.at(0).stage != Stage::clear) r.settle(1);
  const Landing landing = r.state.landings.at(0);
  r.orchestrator(ReportLandingTrouble{landing.number, Stage::clear, "notes.txt would be lost"});
  r.git.checked_out = "main";  // it was cut off behind that
  const Done refused = r.human(Decline{"F001", "no"});
  CHECK(refused.exit() == 1);
  CHECK(refused.what().contains("F001 Log in has left the tree already"));
  r.git.checked_out = landing.branch;
  CHECK(r.human(Decline{"F001", "no"}).ok());
}

TEST_CASE("review_only: what was closed and declined can be gone on with on its branch") {
  Repo r = at_level(Autopilot::review_only);
  r.review(ApproveTask{});
  CHECK(r.me(Decline{"F001", "not yet"}).ok());
  r.write_tasks(2);
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001"}).ok());
  CHECK(r.files.at(std::string(kRoadmapFile)).contains("[x] F001"));  // as its closing commit says
  r.code(Handoff{Role::reviewer, "done"});
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER handoff feat/F001-log-in");
  CHECK(r.plan(Handoff{Role::coder, "T02"}).ok());
}

TEST_CASE("review_only: opens a pull request when the checks pass, the merge waits") {
  Repo r = at_level(Autopilot::review_only);
  r.review(ApproveTask{});
  CHECK(stages(r.state.landings.at(0)) ==
        "prepare checks commit pull_request clear approval merge merge_checks move landed");
  CHECK(where(r.state) == "PLANNER in_progress -");
  REQUIRE(r.pulls.size() == 1);
  CHECK(r.pulls[0] == "feat/F001-log-in@" + r.git.branches.at("feat/F001-log-in").str());
  CHECK(r.git.branches.at("main") == CommitId("c0"));
  CHECK(inbox_of(r.state).at(0).kind == "merge");
  CHECK(inbox_of(r.state).at(0).text.contains("Pull request: https://example.org/1"));
  CHECK(r.me(ApproveFeature{}).ok());
  CHECK(r.git.branches.at("main") != CommitId("c0"));
  CHECK(r.pulls.size() == 1);
}

TEST_CASE("review_only: at most one pull request for a head, whatever is interrupted") {
  Repo r = at_level(Autopilot::review_only);
  r.as(kRead, ApproveTask{});
  r.stop_early = true;
  while (r.state.landings.at(0).stage != Stage::pull_request) r.settle(1);
  const int number = r.state.landings.at(0).number;
  CHECK(r.orchestrator(BeginPull{number}).ok());
  CHECK(r.orchestrator(BeginPull{number}).exit() == 1);
  r.settle();  // after a crash it is not opened again
  CHECK(r.pulls.empty());
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(inbox_of(r.state).at(0).text.contains("there may be one all the same"));
}

TEST_CASE("review_only: a pull request that fails is told and does not hold the loop up") {
  Repo r = at_level(Autopilot::review_only);
  r.pull_error = "gh: not logged in";
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(inbox_of(r.state).at(0).text.contains("gh: not logged in"));
}

TEST_CASE("review_only: tasks are committed when the checks pass; a risky one's merge waits") {
  Repo r = at_level(Autopilot::review_only, 2);
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER handoff feat/F001-log-in");
  CHECK(r.git.dirty.empty());
  CHECK(stages(r.state.landings.at(0)) == "prepare checks commit landed");
  Repo task = risky(Autopilot::review_only);
  task.review(ApproveTask{});
  CHECK(where(task.state) == "REVIEWER done feat/F001-log-in--T01-part-1");
  CHECK(inbox_of(task.state).at(0).kind == "merge");
  CHECK(task.pulls.empty());
}

TEST_CASE("full: commits and merges when the checks pass, and posts a summary") {
  Repo r = at_level(Autopilot::full);
  r.review(ApproveTask{"all scenarios green"});
  CHECK(stages(r.state.landings.at(0)) ==
        "prepare checks merge merge_checks commit move clear landed");
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(inbox_of(r.state).empty());
  CHECK(r.git.branches.at("main") == r.state.landings.at(0).merged);
  REQUIRE(r.summaries.size() == 1);
  CHECK(r.summaries[0].contains("F001 Log in is merged into main.\nTasks: T01\nChecks: green"));
  CHECK(r.summaries[0].contains("all scenarios green"));
  CHECK(std::ranges::count(r.summaries[0], '\n') < 12);
  CHECK(r.pulls.empty());
}

TEST_CASE("full: a risky task is merged into the feature's branch") {
  Repo r = risky(Autopilot::full);
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER handoff feat/F001-log-in");
  CHECK(r.git.branches.at("feat/F001-log-in") != CommitId("c0"));
  CHECK(r.git.branches.at("main") == CommitId("c0"));
  CHECK(r.git.checked_out == "feat/F001-log-in");
}

TEST_CASE("without checks nothing passes: a human is asked whatever the autopilot") {
  Policy policy = test_policy();
  policy.has_checks = false;
  Repo r = at_level(Autopilot::full);
  r.human(Configure{policy});  // they were taken away since
  CHECK(autopilot_text(r.state) == "full, which acts as off: no checks are configured");
  r.review(ApproveTask{});
  CHECK(r.git.branches.at("main") == CommitId("c0"));
  CHECK(inbox_of(r.state).at(0).text.contains("No checks are configured."));
}

TEST_CASE("an autopilot without checks is refused, unless the human says why; then it counts") {
  Policy policy = test_policy();
  policy.has_checks = false;
  Repo r = Repo::reviewing(1, policy);
  for (const Autopilot level : {Autopilot::review_only, Autopilot::full}) {
    const Done refused = r.me(SetAutopilot{level});
    CHECK(refused.exit() == 1);
    CHECK(refused.rejection->error.fix.contains(
        fmt::format("pairflow role autopilot {} --without-checks", level)));
  }
  CHECK(r.state.autopilot() == Autopilot::off);
  CHECK(r.me(SetAutopilot{Autopilot::full, " "}).exit() == 2);
  CHECK(r.me(SetAutopilot{Autopilot::full, "a\nb"}).exit() == 2);
  CHECK(r.me(SetAutopilot{Autopilot::off, "a spike"}).exit() == 2);
  CHECK(r.me(SetAutopilot{Autopilot::full, "a spike"}).ok());
  CHECK(r.me(SetAutopilot{Autopilot::full}).events.empty());
  CHECK(autopilot_text(r.state) == "full without checks: a spike");
  CHECK(r.state.actions.back().text.contains("without checks: a spike"));
  r.review(ApproveTask{});
  CHECK(r.git.branches.at("main") == r.state.landings.at(0).merged);
  CHECK(r.state.landings.at(0).stage == Stage::landed);
  Repo checked = Repo::reviewing(1);
  CHECK(checked.me(SetAutopilot{Autopilot::full, "a spike"}).exit() == 2);
}

TEST_CASE("an absent autopilot is off; one that nobody ordered does not count") {
  Repo r = at_level(Autopilot::full);
  std::string& text = r.register_text();
  const auto at = text.find("  \"autopilot\": \"full\",\n");
  text.erase(at, std::string("  \"autopilot\": \"full\",\n").size());
  r.settle();
  CHECK(r.state.autopilot() == Autopilot::off);  // lowered by hand
  CHECK(autopilot_text(r.state) == "off");
  r.me(SetAutopilot{Autopilot::off});
  r.register_text().insert(at, "  \"autopilot\": \"full\",\n");
  r.settle();
  CHECK(r.state.reg.autopilot == Autopilot::full);
  CHECK(r.state.autopilot() == Autopilot::off);  // raised by hand
  CHECK(inbox_of(r.state).at(0).command == "pairflow role autopilot full");
  r.review(ApproveTask{});
  CHECK(r.git.branches.at("main") == CommitId("c0"));
}

TEST_CASE("killed after any effect and begun again, it ends the same") {
  for (const Autopilot level : {Autopilot::off, Autopilot::review_only, Autopilot::full}) {
    Repo whole = at_level(level);
    whole.review(ApproveTask{});
    for (int cut = 1; cut < 30; ++cut) {
      Repo r = at_level(level);
      r.as(kRead, ApproveTask{});
      r.stop_early = true;
      r.settle(cut);
      // What a process knew is lost; the state is folded anew from the journal.
      State folded;
      for (const std::string& text : r.log) {
        Line line = *decode_line(text);
        line.mark = {line.seq, folded.mark.end, folded.mark.end + text.size() + 1, hash_of(text)};
        folded = *fold(std::move(folded), line);
      }
      CHECK(dump(codec::encode(folded)) == dump(codec::encode(r.state)));
      r.settle();
      CHECK(where(r.state) == where(whole.state));
      CHECK(r.git.branches == whole.git.branches);
      CHECK(r.pulls == whole.pulls);
      CHECK(r.summaries == whole.summaries);
      CHECK(r.files == whole.files);
    }
  }
}

}  // namespace
}  // namespace pf::role
