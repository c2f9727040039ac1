// Evidence: when the checks are run, what their result does, what the human can do about it.
#include "bubble/domain/evidence.h"

#include "bubble/domain/outstanding.h"
#include "bubble/domain/testing.h"
#include "bubble/domain/watchdog.h"

namespace pf::bubble {
namespace {

using namespace testing;

Policy checked_policy() {
  Policy policy = test_policy();
  policy.profile = {{{"test", "make test"}}, "", ""};
  return policy;
}

TEST_CASE("the checks are wanted for the tree under review, once for each tree and profile") {
  Bubble b = Bubble::running(checked_policy());
  CHECK_FALSE(wants_checks(b.state));
  b.implement(1);
  CHECK(wants_checks(b.state));
  CHECK(evidence_standing(b.state) == EvidenceStanding::awaited);
  b.evidence(EvidenceStatus::green);
  CHECK_FALSE(wants_checks(b.state));
  CHECK(evidence_standing(b.state) == EvidenceStanding::green);
  b.review({"P1:bad"});
  CHECK_FALSE(wants_checks(b.state));  // the implementer is at work
  b.implement(2);
  CHECK(wants_checks(b.state));
  b.evidence(EvidenceStatus::green);
  b.review({"P1:worse"});
  b.implement(1);  // as it was before
  CHECK_FALSE(wants_checks(b.state));
  CHECK(evidence_standing(b.state) == EvidenceStanding::green);
}

TEST_CASE("row 15: convergence waits for the checks, and a reviewer who was faster is not stuck") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  CHECK(b.pass_clean().ok());
  const Done early = b.reviewer(agreed("x"));
  REQUIRE(early.rejection);
  CHECK(early.rejection->unmet.at(0).find("still running") != std::string::npos);
  const Done told = b.evidence(EvidenceStatus::green);
  CHECK(names(told.events[0].tell) == b.state.active_agent->str());
  CHECK(b.reviewer(agreed("x")).ok());
}

TEST_CASE("red cannot converge: back to the implementer, and green resolves it") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.pass_clean();
  b.evidence(EvidenceStatus::red, "make test");
  CHECK(b.reviewer(agreed("x")).exit() == 1);
  CHECK(b.pass_clean().ok());  // resolves nothing of the orchestrator's
  CHECK(b.state.active_role == Role::implementer);
  b.implement(2);
  b.evidence(EvidenceStatus::green);
  CHECK(b.state.findings.at(0).status == FindingStatus::resolved);
  CHECK(b.pass_clean().ok());
  CHECK(b.reviewer(agreed("x")).ok());
}

TEST_CASE("a waived red lets the tree converge and be approved, and says so") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.evidence(EvidenceStatus::red);
  b.human(Waive{FindingId("F1.1"), "known to be flaky"});
  CHECK(evidence_standing(b.state) == EvidenceStanding::waived);
  b.pass_clean();
  CHECK(b.reviewer(agreed("x")).ok());
  CHECK(b.human(Approve{}).ok());
}

TEST_CASE("a rerun is the human's, and its result is the one that counts") {
  Bubble b = Bubble::running(checked_policy());
  CHECK(b.human(RerunChecks{}).exit() == 1);  // nothing to check yet
  b.implement(1);
  b.evidence(EvidenceStatus::green);
  b.pass_clean();
  b.reviewer(agreed("x"));
  CHECK(b.as(kCodex, RerunChecks{}).exit() == 1);
  CHECK(b.human(RerunChecks{}).ok());
  CHECK(wants_checks(b.state));
  CHECK(b.human(Approve{}).exit() == 1);  // not while it runs
  b.evidence(EvidenceStatus::red);
  CHECK_FALSE(wants_checks(b.state));
  CHECK(b.human(Approve{}).exit() == 1);
  CHECK(b.human(RerunChecks{}).ok());
  b.evidence(EvidenceStatus::green);
  CHECK(b.human(Approve{}).ok());
}

TEST_CASE("another profile answers for itself") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.evidence(EvidenceStatus::red);
  CHECK(b.as(kCodex, ChangeProfile{{{}, "none", ""}}).exit() == 1);
  CHECK(b.human(ChangeProfile{checked_policy().profile}).exit() == 1);  // the same
  const Profile lint{{{"lint", "make lint"}}, "", ""};
  CHECK(b.human(ChangeProfile{lint}).ok());
  CHECK(b.state.findings.at(0).status == FindingStatus::waived);
  CHECK(wants_checks(b.state));
  b.evidence(EvidenceStatus::green);
  CHECK(evidence_standing(b.state) == EvidenceStanding::green);
  CHECK(b.human(ChangeProfile{{{}, "there is no linter here", ""}}).ok());
  CHECK(evidence_standing(b.state) == EvidenceStanding::not_needed);
}

TEST_CASE("row 21: two void runs ask the human, whose reply lets it run again") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.evidence(EvidenceStatus::void_);
  CHECK(wants_checks(b.state));
  b.evidence(EvidenceStatus::void_);
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK_FALSE(wants_checks(b.state));
  CHECK(b.human(Reply{"try again", ReplyDecision::none, 2, {}}).ok());
  CHECK(wants_checks(b.state));
  b.evidence(EvidenceStatus::green);
  CHECK_FALSE(wants_checks(b.state));
}

TEST_CASE("a tree that was red before is red again, without another run") {
  Policy policy = checked_policy();
  policy.max_rounds = 9;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.evidence(EvidenceStatus::red, "make test");
  b.pass_clean();
  b.implement(2);
  b.evidence(EvidenceStatus::green);
  b.review({"P1:no, it was better before"});
  CHECK(b.implement(1, {{FindingId("F2.1")}, {}}).ok());
  CHECK_FALSE(wants_checks(b.state));
  CHECK(ledger_text(b.state.findings).find("P1 open orchestrator") != std::string::npos);
  b.pass_clean();
  CHECK(b.state.active_role == Role::implementer);
}

TEST_CASE("a tree that was green before settles the finding of the red one between") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.evidence(EvidenceStatus::green);
  b.review({"P1:more"});
  b.implement(2);
  b.evidence(EvidenceStatus::red, "make test");
  b.review({"F1.1"});
  b.implement(1);
  b.pass_clean();
  CHECK(ledger_text(b.state.findings).find("orchestrator") != std::string::npos);
  CHECK(b.reviewer(agreed("x")).ok());
}

TEST_CASE("row 35: checks that turned red after the approval stop the commit") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.evidence(EvidenceStatus::green);
  b.pass_clean();
  b.reviewer(agreed("x"));
  b.human(Approve{});
  b.human(RerunChecks{});
  CHECK(b.human(Commit{"m", false}).rejection->error.what.find("running") != std::string::npos);
  b.evidence(EvidenceStatus::red, "make test");
  CHECK(b.human(Commit{"m", false}).rejection->error.what.find("red") != std::string::npos);
  b.human(RerunChecks{});
  b.evidence(EvidenceStatus::green);
  CHECK(b.human(Commit{"m", false}).ok());
}

TEST_CASE("row 18: the watchdog leaves a reviewer alone while our own checks run") {
  Bubble b = Bubble::running(checked_policy());
  b.idle = std::chrono::hours(1);
  CHECK(is_watched(b.state));
  b.implement(1);
  CHECK_FALSE(is_watched(b.state));
  CHECK(b.orchestrator(CheckIdle{}).events.empty());
  const Moment before = b.state.last_activity;
  b.evidence(EvidenceStatus::green);
  CHECK(is_watched(b.state));
  CHECK(b.state.last_activity.mono_ms > before.mono_ms);  // it counts from here
  CHECK_FALSE(b.orchestrator(CheckIdle{}).events.empty());
}

TEST_CASE("outstanding: one run of the checks, beside everything else") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  int runs = 0;
  for (const Effect& effect : outstanding(b.state, {}))
    if (const auto* run = std::get_if<RunChecks>(&effect)) {
      ++runs;
      CHECK(run->tree == tree(1));
      CHECK(run->profile == profile_hash(b.state.policy.profile));
    }
  CHECK(runs == 1);
}

}  // namespace
}  // namespace pf::bubble
