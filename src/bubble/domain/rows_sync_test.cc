// Row 48: the base branch comes into the bubble as a new round.
#include "bubble/domain/evidence.h"
#include "bubble/domain/simulated_world.h"

namespace pf::bubble {
namespace {

using namespace testing;

constexpr int kMerged = 20, kNewBase = 30;

// The base has moved; the bubble's files with it are tree(kMerged).
void move_base(Bubble& b, std::vector<std::string> conflicts = {}) {
  b.sync = {CommitId("newer"), tree(kNewBase), 3};
  b.sync.tip = b.worktree.tip;
  b.sync.files = b.worktree.tree;
  b.sync.merged = tree(kMerged);
  if (b.state.target)
    b.sync.target = *b.state.target == b.worktree.tree ? tree(kMerged) : tree(kMerged + 1);
  b.sync.changed = {{"src/a.cc", "M", 4, 2, ""}};
  b.sync.conflicts = std::move(conflicts);
}
// The human asks for it, and it is done.
Done sync(Bubble& b) {
  must(b.human(Sync{}).ok(), "sync");
  b.worktree.tree = b.state.sync->merged;
  b.worktree.base_tree = b.state.sync->onto_tree;
  b.worktree.tip = b.state.sync->onto;
  return b.orchestrator(ReportSynced{});
}

TEST_CASE("row 48: READY, without conflicts: both review what is there now") {
  Bubble b = Bubble::running();
  b.converge_on(1);
  move_base(b);
  CHECK(envelopes(b.human(Sync{}).events) == "sync_prepared human>both");
  CHECK(where(b.state) == "READY_FOR_APPROVAL 2 -");
  const Done done = b.orchestrator(ReportSynced{});
  CHECK(envelopes(done.events) == "synced orchestrator>codex");
  CHECK(where(b.state) == "RUNNING 3 codex/reviewer");
  CHECK(b.state.target == tree(kMerged));
  CHECK(b.state.place.base_commit == CommitId("newer"));
  CHECK(b.state.place.base_tree == tree(kNewBase));
  CHECK_FALSE(b.state.converged_tree);
  CHECK(b.state.clean.empty());
  CHECK(b.state.changes->added == 4);
  b.worktree = {tree(kMerged), tree(kNewBase), {}, CommitId("newer")};
  CHECK(b.reviewer(agreed("at once")).reason() == "not_converged");
  b.pass_clean();
  CHECK(b.reviewer(agreed("both")).ok());
  b.human(Approve{});
  const Done commit = b.human(Commit{"m", false});
  CHECK(commit.body<CommitPrepared>().tree == tree(kMerged));
  CHECK_FALSE(commit.body<CommitPrepared>().squash);  // its parent is the new base
}

TEST_CASE("row 48: a reviewer at work in a checkout of its own begins anew") {
  Bubble b = Bubble::running();
  ReportLaunch launch{kClaude, Role::reviewer, b.state.agent(kClaude)->wanted, "%1", "k"};
  launch.apart = true;
  launch.enforcement = "sandbox";
  b.orchestrator(launch);
  b.implement(1);
  b.shown = tree(1);
  move_base(b);
  const Done done = sync(b);
  CHECK(where(b.state) == "RUNNING 2 claude/reviewer");
  CHECK(names(done.events.back().relaunch) == "claude");
  CHECK(names(done.events.back().afresh) == "claude");
  b.shown = tree(kMerged);
  CHECK(b.pass_clean().reason() == "not_shown");  // by the process that read the other tree
}

TEST_CASE("row 48: APPROVED: the approval is void") {
  Bubble b = Bubble::running();
  b.converge_on(1);
  b.human(Approve{});
  move_base(b);
  sync(b);
  CHECK_FALSE(b.state.approved_tree);
  CHECK(where(b.state) == "RUNNING 3 codex/reviewer");
  CHECK(b.human(Commit{"m", false}).exit() == 1);
}

TEST_CASE("row 48: a conflict is the implementer's, and cannot be handed over with its marks") {
  Bubble b = Bubble::running();
  b.converge_on(1);
  move_base(b, {"src/a.cc", "src/b.cc"});
  const Done done = sync(b);
  CHECK(where(b.state) == "RUNNING 3 claude/implementer");
  CHECK(ledger_text(b.state.findings) == "F3.1 P1 open human");
  CHECK(b.state.findings[0].title == "Conflicts with main: src/a.cc, src/b.cc");
  CHECK(message_text(done.events[0]).contains("- src/b.cc"));
  b.worktree.tree = tree(40);
  b.worktree.conflicted = {"src/b.cc"};
  const Done early = b.implementer(Pass{"done", {}, {}, {}, {}});
  CHECK(early.reason() == "conflicts_left");
  CHECK(early.rejection->error.why.contains("src/b.cc"));
  b.worktree.conflicted.clear();
  CHECK(b.implementer(Pass{"resolved", {}, {}, {{FindingId("F3.1")}, {}}, {}}).ok());
  CHECK(b.reviewer(Pass{"silent", {}, Bubble::reported({"P3:x"}), {}, {}}).reason() ==
        "unmentioned");
  CHECK(b.pass_clean().ok());
  CHECK(b.reviewer(agreed("both")).ok());
  CHECK(ledger_text(b.state.findings) == "F3.1 P1 resolved human");
}

TEST_CASE("row 48: while conflicts are resolved no check is said to run") {
  Policy policy = test_policy();
  policy.profile = {{{"test", "make test"}}, "", ""};
  Bubble b = Bubble::running(policy);
  b.implement(1);
  CHECK(evidence_standing(b.state) == EvidenceStanding::awaited);
  b.evidence(EvidenceStatus::green);
  move_base(b, {"src/b.cc"});
  sync(b);
  CHECK(b.state.active_role == Role::implementer);
  CHECK_FALSE(due_run(b.state));
  CHECK(evidence_standing(b.state) == EvidenceStanding::later);
  CHECK(name_of(EvidenceStanding::later) == "not run yet");
}

TEST_CASE("row 48: the implementer at work keeps the turn, and what it had done counts") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  b.worktree.tree = tree(2);  // mended, not yet handed over
  move_base(b);
  sync(b);
  CHECK(where(b.state) == "RUNNING 3 codex/implementer");
  CHECK(b.state.target == tree(kMerged + 1));
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 open claude");
  CHECK(b.implementer(Pass{"mended", {}, {}, {{FindingId("F1.1")}, {}}, {}}).ok());
}

TEST_CASE("row 48: what the base brought is no change of the implementer's") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  move_base(b);
  sync(b);
  CHECK(b.implementer(Pass{"nothing", {}, {}, {}, {}}).reason() == "no_change");
  Bubble first = Bubble::running();
  move_base(first);
  first.sync.merged = tree(kNewBase);
  sync(first);
  CHECK(where(first.state) == "RUNNING 2 codex/implementer");
  CHECK(first.implementer(Pass{"nothing", {}, {}, {}, {}}).reason() == "no_change");
}

TEST_CASE("row 48: open questions are superseded, a verdict that waits is void") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P2:naming"});
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  move_base(b);
  const Done done = sync(b);
  CHECK(envelopes(done.events) == "HUMAN_REPLY orchestrator>both, synced orchestrator>claude");
  CHECK(where(b.state) == "RUNNING 2 claude/reviewer");
  CHECK(b.state.questions.empty());
  CHECK_FALSE(b.state.held);
}

TEST_CASE("row 48: refused with the reason") {
  Bubble b = Bubble::running();
  CHECK(b.human(Sync{}).rejection->error.what == "main has nothing new");
  move_base(b);
  CHECK(b.as(kCodex, Sync{}).exit() == 1);
  b.converge_on(1);
  b.human(Approve{});
  b.human(Commit{"m", false});
  CHECK(b.human(Sync{}).rejection->error.what == "a commit is under way");
  b.orchestrator(ReportMoved{});
  CHECK(b.human(Sync{}).exit() == 1);
  b.orchestrator(ReportPackage{});
  CHECK(b.human(Sync{}).rejection->error.fix.contains("pairflow bubble continue --id b_test"));
  Bubble created;
  created.human(create_with(test_policy()));
  CHECK(created.human(Sync{}).exit() == 1);
}

TEST_CASE(
    "row 48: nothing is judged or decided while the files change; given up, all is as it was") {
  Bubble b = Bubble::running();
  b.converge_on(1);
  const std::string before = Bubble::essence(b.state);
  move_base(b);
  b.human(Sync{});
  CHECK(b.human(Sync{}).events.empty());  // it goes on
  CHECK(b.human(Approve{}).rejection->error.what == "the base branch is being brought in");
  CHECK(b.human(Rework{"no", false, {}}).exit() == 1);
  CHECK(envelopes(b.orchestrator(AbandonSync{"edited"}).events) ==
        "sync_abandoned orchestrator>human");
  CHECK(Bubble::essence(b.state) == before);
  CHECK(b.orchestrator(ReportSynced{}).events.empty());
  CHECK(b.human(Approve{}).ok());
}

TEST_CASE("row 48: an agent waits for it, and a stop ends it") {
  Bubble b = Bubble::running();
  b.worktree.tree = tree(1);
  move_base(b);
  b.human(Sync{});
  CHECK(b.implementer(Pass{"done", {}, {}, {}, {}}).reason() == "syncing");
  CHECK(b.implementer(AskHuman{"?"}).ok());
  b.human(Stop{});
  CHECK_FALSE(b.state.sync);
}

TEST_CASE("row 48: the supervisor does it once, and the checks wait for it") {
  Policy policy = test_policy();
  policy.profile = {{{"test", "make"}}, "", ""};
  Bubble b = Bubble::running(policy);
  World world;
  world.settle(b);
  b.implement(1);
  world.settle(b);
  move_base(b);
  b.human(Sync{});
  CHECK_FALSE(due_run(b.state));
  CHECK(world.settle(b).starts_with("sync"));
  CHECK(b.state.target == tree(kMerged));
  CHECK(evidence_for(b.state, tree(kMerged)) != nullptr);
}

}  // namespace
}  // namespace pf::bubble
