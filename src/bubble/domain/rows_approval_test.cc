// BUBBLE rows 31 to 47: approval, commit and the ends.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

Bubble ready() {
  Bubble b = Bubble::running();
  b.converge_on(1);
  return b;
}
Bubble approved() {
  Bubble b = ready();
  must(b.human(Approve{}).ok(), "approve");
  return b;
}

TEST_CASE("row 31: approve binds the converged tree") {
  Bubble b = ready();
  const Done done = b.human(Approve{tree(1)});
  CHECK(envelopes(done.events) == "APPROVAL_DECISION human>orchestrator");
  CHECK(done.body<Decided>().decision == Approval::approve);
  CHECK(where(b.state) == "APPROVED_FOR_COMMIT 2 -");
  CHECK(b.state.approved_tree == tree(1));
}

TEST_CASE("row 31: only the human approves, and not what is red") {
  Bubble b = ready();
  CHECK(b.as(kCodex, Approve{}).exit() == 1);
  CHECK(b.orchestrator(Approve{}).exit() == 1);
  CHECK(b.human(Approve{tree(2)}).exit() == 1);
  b.evidence(EvidenceStatus::red);
  CHECK(b.human(Approve{}).exit() == 1);
  b.evidence(EvidenceStatus::green);
  CHECK(b.human(Approve{}).ok());
  CHECK(Bubble::running().human(Approve{}).exit() == 1);
}

TEST_CASE("row 32: another tree than the converged one is not approved") {
  Bubble b = ready();
  b.worktree.tree = tree(2);
  const std::string before = Bubble::essence(b.state);
  const Done done = b.human(Approve{});
  CHECK(done.exit() == 1);
  CHECK_FALSE(done.rejection->warn);
  CHECK(done.rejection->error.fix.find("request-rework") != std::string::npos);
  CHECK(Bubble::essence(b.state) == before);
}

TEST_CASE("row 33: rework starts a round with the human's findings") {
  for (const bool was_approved : {false, true}) {
    Bubble b = was_approved ? approved() : ready();
    b.worktree.tree = tree(2);
    const Done done = b.human(Rework{"too slow", false, Bubble::reported({"P2:naming"}).findings});
    CHECK(envelopes(done.events) == "APPROVAL_DECISION human>claude");
    CHECK(done.body<Decided>().decision == Approval::revise);
    CHECK(where(b.state) == "RUNNING 3 claude/implementer");  // roles as they stand
    CHECK(ledger_text(b.state.findings) == "F3.1 P1 open human, F3.2 P2 open human");
    CHECK(b.state.clean.empty());
    CHECK_FALSE(b.state.approved_tree);
    CHECK_FALSE(b.state.converged_tree);
    CHECK(b.state.target == tree(2));
    CHECK(b.state.limit == 5);
    CHECK(names(done.events[0].tell) == "claude");
    CHECK(names(done.events[0].relaunch) == "claude");
    CHECK(b.human(Approve{}).exit() == 1);
  }
}

TEST_CASE("row 33: reject, findings by id, and what is refused") {
  Bubble b = Bubble::running();
  CHECK(b.human(Rework{"x", false, {}}).exit() == 1);
  b.implement(1);
  b.review({"P1:one"});
  b.implement(2, Claims{{FindingId("F1.1")}, {}});
  b.pass_clean();
  b.reviewer(agreed("ok"));
  CHECK(b.human(Rework{"x", true, Bubble::reported({"F9.9"}).findings}).exit() == 1);
  const Done done = b.human(Rework{"", true, Bubble::reported({"F1.1"}).findings});
  CHECK(done.body<Decided>().decision == Approval::reject);
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 open claude");
}

TEST_CASE("row 34: a second approve is refused") {
  Bubble b = approved();
  CHECK(b.human(Approve{}).rejection->error.what == "already approved");
  b.worktree.tree = tree(2);
  CHECK(b.human(Approve{}).reason() == "other_tree");
}

TEST_CASE("row 35: commit is prepared, moved and packaged") {
  Bubble b = approved();
  const Done prepared = b.human(Commit{"subject", false, ""});
  CHECK(envelopes(prepared.events) == "commit_prepared human>orchestrator");
  CHECK(where(b.state) == "APPROVED_FOR_COMMIT 2 -");
  REQUIRE(b.state.commit);
  CHECK(b.state.commit->tree == tree(1));
  CHECK(b.state.commit->old_tip == CommitId("base"));
  CHECK_FALSE(b.state.commit->squash);
  CHECK(b.human(Commit{"again", false, ""}).events.empty());  // the same commit goes on
  CHECK(b.human(Stop{}).exit() == 1);
  CHECK(b.human(Rework{"x", false, {}}).exit() == 1);
  CHECK(envelopes(b.orchestrator(ReportMoved{}).events) == "committed orchestrator>human");
  CHECK(where(b.state) == "COMMITTED 2 -");
  const Hash head = b.state.mark.hash;
  const Done done = b.orchestrator(ReportPackage{{{"a.cc", "A", 1, 0, "100644"}}});
  CHECK(envelopes(done.events) == "DONE_PACKAGE orchestrator>human");
  CHECK(where(b.state) == "DONE 2 -");
  CHECK(done.body<Packaged>().commit == CommitId("commit-of-tree-1"));
  CHECK(done.body<Packaged>().head == head);
  CHECK(done.body<Packaged>().message == "subject");
  CHECK(b.orchestrator(ReportPackage{}).events.empty());
}

TEST_CASE("row 35: files out of scope need the human's reason") {
  Policy policy = test_policy();
  policy.scope_allow = {"src/**"};
  policy.scope_deny = {"src/secret/**"};
  Bubble b = Bubble::running(policy);
  b.worktree.changed = {
      {"src/a.cc", "M", 1, 1, ""}, {"src/secret/k", "A", 1, 0, ""}, {"Makefile", "M", 1, 1, ""}};
  b.converge_on(1);
  CHECK(b.state.out_of_scope == std::vector<std::string>{"src/secret/k", "Makefile"});
  b.human(Approve{});
  const Done refused = b.human(Commit{"m", false, ""});
  CHECK(refused.exit() == 1);
  CHECK(refused.rejection->error.what.find("Makefile") != std::string::npos);
  CHECK(b.human(Commit{"m", false, "agreed"}).body<CommitPrepared>().scope_override == "agreed");
}

TEST_CASE("row 36: another tree than the approved one is not committed") {
  Bubble b = approved();
  b.worktree.tree = tree(2);
  CHECK(b.human(Commit{"m", false, ""}).reason() == "other_tree");
  CHECK(where(b.state) == "APPROVED_FOR_COMMIT 2 -");
  CHECK(ready().human(Commit{"m", false, ""}).exit() == 1);
  CHECK(approved().as(kCodex, Commit{"m", false, ""}).exit() == 1);
}

TEST_CASE("row 37: a moved tip needs --squash") {
  Bubble b = approved();
  b.worktree.tip = CommitId("rogue");
  const Done refused = b.human(Commit{"m", false, ""});
  CHECK(refused.exit() == 1);
  CHECK(refused.rejection->error.fix.find("--squash") != std::string::npos);
  const Done done = b.human(Commit{"m", true, ""});
  CHECK(done.body<CommitPrepared>().squash);
  CHECK(done.body<CommitPrepared>().old_tip == CommitId("rogue"));
}

TEST_CASE("row 37: an abandoned commit leaves the approval") {
  Bubble b = approved();
  b.human(Commit{"m", false, ""});
  CHECK(envelopes(b.orchestrator(AbandonCommit{"the tip moved"}).events) ==
        "commit_abandoned orchestrator>human");
  CHECK(where(b.state) == "APPROVED_FOR_COMMIT 2 -");
  CHECK_FALSE(b.state.commit);
  CHECK(b.orchestrator(ReportMoved{}).events.empty());
  CHECK(b.human(Commit{"m", false, ""}).ok());
}

TEST_CASE("rows 38 and 40: COMMITTED goes on to DONE and cannot be stopped") {
  Bubble b = approved();
  b.human(Commit{"m", false, ""});
  b.orchestrator(ReportMoved{});
  CHECK(b.human(Commit{"m", false, ""}).ok());
  CHECK(b.human(Resume{}).events.empty());
  const Done stop = b.human(Stop{});
  CHECK(stop.exit() == 1);
  CHECK(stop.rejection->error.what == "already committed");
  CHECK(b.orchestrator(AbandonCommit{"x"}).events.empty());
  CHECK(b.orchestrator(ReportFailed{"x"}).events.empty());
  CHECK(b.orchestrator(ReportPackage{}).ok());
  CHECK(where(b.state) == "DONE 2 -");
}

TEST_CASE("row 39: stop cancels from every state before the commit") {
  std::vector<Bubble> all(2);
  all[0].human(create_with(test_policy()));
  all[1] = all[0];
  all[1].human(Start{});
  all.push_back(Bubble::running());
  all.push_back(Bubble::running());
  all.back().as(kCodex, AskHuman{"?"});
  all.push_back(ready());
  all.push_back(approved());
  for (Bubble& b : all) {
    const int round = b.state.round;
    CHECK(envelopes(b.human(Stop{"enough"}).events) == "cancelled human>both");
    CHECK(where(b.state) == fmt::format("CANCELLED {} -", round));
    CHECK(b.state.questions.empty());
    CHECK_FALSE(b.state.closed);
    CHECK(envelopes(b.orchestrator(ReportClosed{{{"refs/x"}}}).events) ==
          "closed orchestrator>human");
    CHECK(b.orchestrator(ReportClosed{}).events.empty());
  }
}

TEST_CASE("row 41: an unrecoverable error fails any active state") {
  Bubble b = Bubble::running();
  b.as(kCodex, AskHuman{"?"});
  CHECK(envelopes(b.orchestrator(ReportFailed{"the worktree is gone"}).events) ==
        "failed orchestrator>human");
  CHECK(where(b.state) == "FAILED 1 -");
  CHECK(b.state.questions.empty());
  CHECK(b.orchestrator(ReportFailed{"again"}).events.empty());
}

TEST_CASE("row 42: a bubble that is DONE and not merged says how to go on with it") {
  Bubble b = Bubble::running();
  b.state.phase = Phase::done;
  CHECK(b.human(Rework{"more", false, {}})
            .rejection->error.fix.ends_with("pairflow bubble continue --id " + b.state.id.str()));
  b.state.merged = CommitId("m");
  CHECK(b.human(Rework{"more", false, {}}).rejection->error.fix.starts_with("create a new one"));
}

TEST_CASE("row 42: a final bubble does not change, and agents are not even warned") {
  Bubble b = Bubble::running();
  b.human(Stop{});
  const std::size_t lines = b.log.size();
  const std::vector<Command> humans = {Start{},  Reply{"x", ReplyDecision::none, 2, {}},
                                       Resume{}, Replan{"y"},
                                       Waive{},  Approve{},
                                       Rework{}, Commit{},
                                       Stop{},   create_with(test_policy())};
  for (const Command& command : humans) CHECK(b.human(command).exit() == 1);
  for (const Command& command : {Command(Pass{}), Command(AskHuman{"?"}), Command(Converge{})}) {
    const Done done = b.as(kCodex, command);
    CHECK(done.exit() == 1);
    CHECK_FALSE(done.warned);
  }
  for (const Command& command :
       {Command(ReportPrepared{}), Command(ReportExit{kCodex, "x"}), Command(CheckTree{}),
        Command(CheckIdle{}), Command(ReportLaunch{kCodex, Role::implementer, Seq{3}, "%1", "k"}),
        Command(ReportEvidence{tree(1), EvidenceStatus::red, "", {}}), Command(ReportMoved{}),
        Command(AdoptConfig{test_policy(), Hash("z")})})
    CHECK(
        (std::holds_alternative<AdoptConfig>(command) ? b.human(command) : b.orchestrator(command))
            .events.empty());
  CHECK(b.log.size() == lines);
}

TEST_CASE("row 43: agent verbs where no agent works are refused with a warning") {
  std::vector<Bubble> all(2);
  all[0].human(create_with(test_policy()));
  all[1] = all[0];
  all[1].human(Start{});
  all.push_back(ready());
  all.push_back(approved());
  all.push_back(approved());
  all.back().human(Commit{"m", false, ""});
  all.back().orchestrator(ReportMoved{});
  for (Bubble& b : all)
    for (const Command& command : {Command(Pass{}), Command(AskHuman{"?"}), Command(Converge{})}) {
      const Done done = b.as(kCodex, command);
      CHECK(done.exit() == 1);
      CHECK(done.warned);
    }
}

TEST_CASE("row 44: reply without a question is refused") {
  Bubble created;
  created.human(create_with(test_policy()));
  std::vector<Bubble> all = {created, Bubble::running(), ready(), approved()};
  for (Bubble& b : all) {
    const Done done = b.human(Reply{"x", ReplyDecision::none, 2, {}});
    CHECK(done.exit() == 1);
    const bool decide = b.state.phase == Phase::ready || b.state.phase == Phase::approved;
    CHECK((done.rejection->error.fix.find("request-rework") != std::string::npos) == decide);
  }
}

TEST_CASE("row 45: there is nothing to watch but RUNNING") {
  std::vector<Bubble> all = {ready(), approved(), Bubble::running()};
  all[2].as(kCodex, AskHuman{"?"});
  for (Bubble& b : all) {
    b.idle = std::chrono::hours(9);
    const Done done = b.human(CheckIdle{});
    CHECK(done.exit() == 0);
    CHECK(done.events.empty());
  }
}

TEST_CASE("row 46: waive settles a finding and hands nothing over") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  const Done done = b.human(Waive{FindingId("F1.1"), "known"});
  CHECK(envelopes(done.events) == "waived human>both");
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 waived claude");
  CHECK(b.state.findings[0].reason == "known");
  CHECK(b.human(Waive{FindingId("F1.1"), "again"}).exit() == 1);
  CHECK(b.human(Waive{FindingId("F9.9"), "x"}).exit() == 1);
  CHECK(b.as(kCodex, Waive{FindingId("F1.1"), "x"}).exit() == 1);
  b.implement(2);
  CHECK(b.pass_clean().body<Passed>().verdict == Verdict::clean);  // the next verdict counts it
}

TEST_CASE("row 47: an edit is seen at the next pass, converged, approve or commit") {
  Bubble b = Bubble::running();
  b.implement(1);
  const std::string before = Bubble::essence(b.state);
  b.worktree.tree = tree(5);
  CHECK(Bubble::essence(b.state) == before);
  CHECK(b.pass_clean().reason() == "tree_moved");
}

TEST_CASE("row 42: a finished bubble is merged once, in two steps") {
  Bubble b = Bubble::running();
  b.converge_on(1);
  CHECK(b.human(Merge{}).exit() == 1);
  b.human(Approve{});
  b.human(Commit{"m", false});
  b.orchestrator(ReportMoved{});
  b.orchestrator(ReportPackage{});
  CHECK(b.as(kCodex, Merge{}).exit() == 1);
  b.merge.dirty = {"a.txt"};
  CHECK(b.human(Merge{}).rejection->error.why.find("a.txt") != std::string::npos);
  b.merge.dirty.clear();
  b.merge.conflicts = {"b.txt"};
  CHECK(b.human(Merge{}).rejection->error.why == "b.txt");
  b.merge.conflicts.clear();
  CHECK(envelopes(b.human(Merge{}).events) == "merge_prepared human>orchestrator");
  CHECK(b.human(Merge{}).events.empty());  // it is under way
  CHECK(envelopes(b.orchestrator(AbandonMerge{"moved"}).events) ==
        "merge_abandoned orchestrator>human");
  b.human(Merge{});
  CHECK(envelopes(b.orchestrator(ReportMerged{CommitId("c")}).events) ==
        "merged orchestrator>human");
  CHECK(b.orchestrator(ReportMerged{CommitId("c")}).events.empty());
  CHECK(b.state.merged == CommitId("c"));
  CHECK(b.state.phase == Phase::done);
  b.merge.contains = true;
  CHECK(b.human(Merge{}).exit() == 1);
}

}  // namespace
}  // namespace pf::bubble
