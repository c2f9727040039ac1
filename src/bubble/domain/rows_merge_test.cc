// What lands is what was checked: a merge on a base that has moved.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

constexpr int kResult = 7;  // tree(kResult) is what the merge would make

// DONE on tree(1) with a profile of one check, and a base that has moved.
Bubble done_with_checks() {
  Policy policy = test_policy();
  policy.profile = {{{"test", "make"}}, "", ""};
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.evidence(EvidenceStatus::green);
  b.pass_clean();
  b.reviewer(agreed("both"));
  b.human(Approve{});
  b.human(Commit{"m", false});
  b.orchestrator(ReportMoved{});
  b.orchestrator(ReportPackage{});
  must(b.state.phase == Phase::done, "done");
  b.merge.base = CommitId("moved");
  b.merge.tree = tree(kResult);
  return b;
}

Done judged(Bubble& b, EvidenceStatus status, int of = kResult) {
  ReportEvidence evidence{tree(of), status, "make", {}, profile_hash(b.state.policy.profile)};
  evidence.log = "merge.tests.txt";
  return b.orchestrator(evidence);
}

TEST_CASE("row 42: a base that did not move needs no further run") {
  Bubble b = done_with_checks();
  b.merge.tree = tree(1);
  const Done done = b.human(Merge{});
  CHECK(envelopes(done.events) == "merge_prepared human>orchestrator");
  CHECK(done.body<MergePrepared>().tree == tree(1));
  CHECK(b.state.merge->tree == tree(1));
}

TEST_CASE("row 42: what was not judged is not merged; green is, and the intent names its tree") {
  Bubble b = done_with_checks();
  CHECK(b.human(Merge{}).rejection->error.what.ends_with("has not been checked"));
  CHECK(envelopes(judged(b, EvidenceStatus::green, 8).events) == "EVIDENCE orchestrator>both");
  CHECK(b.human(Merge{}).exit() == 1);  // of another tree
  judged(b, EvidenceStatus::green);
  CHECK(b.human(Merge{}).body<MergePrepared>().tree == tree(kResult));
  CHECK(b.state.phase == Phase::done);
}

TEST_CASE("row 42: green by another profile says nothing") {
  Bubble b = done_with_checks();
  b.orchestrator(ReportEvidence{tree(kResult), EvidenceStatus::green, "", {}, Hash("other")});
  CHECK(b.human(Merge{}).rejection->error.what.ends_with("has not been checked"));
}

TEST_CASE("row 42: red and unable are refused by what helps; the human's word is recorded") {
  Bubble b = done_with_checks();
  judged(b, EvidenceStatus::unable);
  const Done unable = b.human(Merge{});
  CHECK(unable.rejection->error.what.starts_with("the checks could not run"));
  judged(b, EvidenceStatus::red);
  const Done red = b.human(Merge{});
  CHECK(red.rejection->error.what == "the checks are red on the merge of b_test with main");
  CHECK(red.rejection->error.why.contains("artifacts/merge.tests.txt"));
  CHECK(red.rejection->error.fix.contains("pairflow bubble continue --id b_test"));
  CHECK(red.rejection->error.fix.contains("--unchecked"));
  const Done word = b.human(Merge{"the test is wrong"});
  CHECK(word.body<MergePrepared>().unchecked == "the test is wrong");
}

TEST_CASE("row 42: a reason that is not needed is not recorded") {
  Bubble b = done_with_checks();
  judged(b, EvidenceStatus::green);
  CHECK(b.human(Merge{"just in case"}).body<MergePrepared>().unchecked.empty());
}

TEST_CASE("row 42: a conflict is no reason to be in a hurry: it names the way on") {
  Bubble b = done_with_checks();
  b.merge.conflicts = {"a.cc"};
  const Done done = b.human(Merge{"all the same"});
  CHECK(done.rejection->error.what == "the change conflicts with main");
  CHECK(done.rejection->error.fix.contains("pairflow bubble continue --id b_test"));
}

TEST_CASE("a late run of the committed tree changes nothing once the bubble is done") {
  Bubble b = done_with_checks();
  CHECK(judged(b, EvidenceStatus::red, 1).events.empty());
  CHECK(evidence_standing(b.state) == EvidenceStanding::green);
}

TEST_CASE("row 1: a bubble that goes on with another has its findings, its files and a task") {
  Bubble b;
  Create create = create_with(test_policy());
  create.continues = Continued{BubbleId("older"), CommitId("c9"), tree(9), {"a.cc"}};
  Finding waived{FindingId("F1.1"), Severity::p2, "naming", "", 0, "claude"};
  waived.status = FindingStatus::waived, waived.round = 1;
  create.findings = {waived};
  b.human(create);
  CHECK(ledger_text(b.state.findings) == "F1.1 P2 waived claude, F1.2 P1 open human");
  CHECK(b.state.findings[1].title == "Conflicts with main: a.cc");
  CHECK(b.state.conflicts == std::vector<std::string>{"a.cc"});
  b.human(Start{});
  b.orchestrator(ReportPrepared{});
  b.worktree.tree = tree(9);  // as it was committed: it may be handed over
  b.worktree.conflicted = {"a.cc"};
  CHECK(b.implementer(Pass{"as it is", {}, {}, {}, {}}).reason() == "conflicts_left");
  b.worktree.conflicted.clear();
  CHECK(b.implementer(Pass{"resolved", {}, {}, {}, {}}).ok());
  CHECK(b.state.conflicts.empty());
}

}  // namespace
}  // namespace pf::bubble
