// Evidence: when the checks are run, what their result does, what the human can do about it.
#include "bubble/domain/evidence.h"

#include "bubble/domain/outstanding.h"
#include "bubble/domain/testing.h"
#include "bubble/domain/views.h"
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

Policy cold_policy() {
  Policy policy = checked_policy();
  policy.final_cold = true;
  return policy;
}
ReportEvidence from_empty(const Bubble& b, EvidenceStatus status) {
  ReportEvidence evidence{
      *b.state.target, status, "make", {}, profile_hash(b.state.policy.profile)};
  evidence.cold = true;
  return evidence;
}

TEST_CASE(
    "row 14: convergence rests on a run from empty, which begins with the first clean verdict") {
  Bubble b = Bubble::running(cold_policy());
  b.implement(1);
  CHECK(due_run(b.state) == DueRun{tree(1), false});
  b.evidence(EvidenceStatus::green);
  CHECK(evidence_standing(b.state) == EvidenceStanding::green);
  CHECK_FALSE(due_run(b.state));  // nobody has passed it yet
  CHECK(b.pass_clean().ok());
  CHECK(due_run(b.state) == DueRun{tree(1), true});
  CHECK(evidence_standing(b.state) == EvidenceStanding::awaited);
  const Done early = b.reviewer(agreed("x"));
  REQUIRE(early.rejection);
  CHECK(early.rejection->unmet.at(0).contains("from an empty checkout"));
  SUBCASE("green") {
    const Done told = b.orchestrator(from_empty(b, EvidenceStatus::green));
    CHECK(names(told.events[0].tell) == b.state.active_agent->str());
    CHECK_FALSE(due_run(b.state));
    CHECK(b.reviewer(agreed("x")).ok());
    CHECK(b.human(RerunChecks{}).ok());
    CHECK(due_run(b.state) == DueRun{tree(1), true});
  }
  SUBCASE("red opens the finding") {
    b.orchestrator(from_empty(b, EvidenceStatus::red));
    CHECK(b.reviewer(agreed("x")).exit() == 1);
    CHECK(b.state.findings.at(0).source == "orchestrator");
    CHECK_FALSE(due_run(b.state));
  }
  SUBCASE("a late result of the kept checkout takes nothing away") {
    b.orchestrator(from_empty(b, EvidenceStatus::green));
    b.evidence(EvidenceStatus::green);
    CHECK_FALSE(due_run(b.state));
  }
  SUBCASE("another tree begins anew") {
    b.review({"P1:bad"});
    b.implement(2);
    CHECK(due_run(b.state) == DueRun{tree(2), false});
  }
}

TEST_CASE("a reviewer who is faster than the checks: the only run begins from empty") {
  Bubble b = Bubble::running(cold_policy());
  b.implement(1);
  CHECK(b.pass_clean().ok());
  CHECK(due_run(b.state) == DueRun{tree(1), true});
  b.orchestrator(from_empty(b, EvidenceStatus::green));
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

ReportEvidence unable_report(const State& state) {
  ReportEvidence e;
  e.tree = *state.target;
  e.status = EvidenceStatus::unable;
  e.what = "npm test (not found: exit 127)";
  e.profile = profile_hash(state.policy.profile);
  e.log_end = "sh: npm: not found\x1b[0m\n";
  return e;
}

TEST_CASE("row 20: checks that cannot run are one question to the human, and nobody's finding") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  const Done asked = b.orchestrator(unable_report(b.state));
  CHECK(envelopes(asked.events) == "EVIDENCE orchestrator>both, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  REQUIRE(b.state.questions.size() == 1);
  CHECK(b.state.questions[0].kind == QuestionKind::unable);
  CHECK(b.state.questions[0].text.contains("npm test (not found: exit 127)"));
  CHECK(b.state.questions[0].text.ends_with("sh: npm: not found<U+001B>[0m"));
  CHECK(b.state.findings.empty());
  CHECK(evidence_standing(b.state) == EvidenceStanding::unable);
  CHECK_FALSE(wants_checks(b.state));
  b.orchestrator(unable_report(b.state));  // a rerun that the human asked for meanwhile
  CHECK(b.state.questions.size() == 1);

  CHECK(b.human(Reply{"npm is installed", ReplyDecision::none, 2, {}}).ok());
  CHECK(wants_checks(b.state));
  b.evidence(EvidenceStatus::green);
  b.pass_clean();
  CHECK(b.reviewer(agreed("x")).ok());
}

TEST_CASE("checks that cannot run never let a tree converge, be approved or committed") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.pass_clean();
  b.orchestrator(unable_report(b.state));
  b.human(Reply{"I cannot", ReplyDecision::none, 2, {}});
  const Done refused = b.reviewer(agreed("x"));
  REQUIRE(refused.rejection);
  CHECK(refused.rejection->unmet.at(0).contains("running"));  // again, by the reply
  b.orchestrator(unable_report(b.state));
  CHECK(b.human(ChangeProfile{{{{"lint", "make lint"}}, "", ""}}).ok());
  CHECK(b.state.phase == Phase::running);
  b.evidence(EvidenceStatus::green);
  CHECK(b.reviewer(agreed("x")).ok());
  b.human(RerunChecks{});
  b.orchestrator(unable_report(b.state));
  CHECK(b.state.phase == Phase::ready);
  CHECK(b.human(Approve{}).rejection->error.what.contains("could not run"));
}

TEST_CASE("a tree that comes back after checks that could not run is tried anew") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  b.orchestrator(unable_report(b.state));
  b.human(Resume{});
  CHECK(wants_checks(b.state));
  b.review({"P1:no"});
  b.implement(2);
  b.evidence(EvidenceStatus::green);
  b.review({"P1:no"});
  b.implement(1);
  CHECK(wants_checks(b.state));
}

TEST_CASE("red and then green on one tree counts as green, and is named") {
  Bubble b = Bubble::running(checked_policy());
  b.implement(1);
  ReportEvidence e;
  e.tree = *b.state.target;
  e.status = EvidenceStatus::green;
  e.what = "flaky, red at first and then green: test";
  e.profile = profile_hash(b.state.policy.profile);
  e.checks = {{"test", "make test", 0, 7, false, true, ""}, {"lint", "make lint", 0, 7, false}};
  const Done filed = b.orchestrator(e);
  CHECK(evidence_standing(b.state) == EvidenceStanding::green);
  CHECK(flaky_checks(b.state) == std::vector<std::string>{"test"});
  CHECK(b.state.actions.back().text.contains("flaky"));
  CHECK(filed.events.size() == 1);
  CHECK(b.state.findings.empty());
  b.human(RerunChecks{});
  CHECK(flaky_checks(b.state).empty());
  b.evidence(EvidenceStatus::green);
  CHECK(flaky_checks(b.state).empty());
}

Policy base_first_policy() {
  Policy policy = checked_policy();
  policy.base_first = true;
  return policy;
}
Done of_base(Bubble& b, EvidenceStatus status) {
  ReportEvidence e;
  e.tree = b.state.place.base_tree;
  e.status = status;
  e.what = "make test";
  e.profile = profile_hash(b.state.policy.profile);
  e.log = "base.tests.txt";
  return b.orchestrator(e);
}

std::optional<TreeId> next_tree(const State& state) {
  const auto due = due_run(state);
  return due ? std::optional(due->tree) : std::nullopt;
}

TEST_CASE("the base is tried first, once for each profile, where the bubble was created so") {
  Bubble before = Bubble::running(checked_policy());
  CHECK_FALSE(due_run(before.state));
  Bubble b = Bubble::running(base_first_policy());
  CHECK(next_tree(b.state) == tree(kBase));
  b.implement(1);
  CHECK(next_tree(b.state) == tree(kBase));
  CHECK(of_base(b, EvidenceStatus::green).events.size() == 1);
  CHECK(next_tree(b.state) == tree(1));
  b.evidence(EvidenceStatus::green);
  CHECK_FALSE(due_run(b.state));
  b.human(RerunChecks{});
  CHECK(next_tree(b.state) == tree(1));
  b.human(ChangeProfile{{{{"lint", "make lint"}}, "", ""}});
  CHECK(next_tree(b.state) == tree(kBase));
  of_base(b, EvidenceStatus::void_);
  CHECK(next_tree(b.state) == tree(kBase));
  of_base(b, EvidenceStatus::void_);
  CHECK(next_tree(b.state) == tree(1));
}

TEST_CASE("a red base is a question; the check stays and blocks until it is dropped") {
  Bubble b = Bubble::running(base_first_policy());
  const Done red = of_base(b, EvidenceStatus::red);
  CHECK(envelopes(red.events) == "EVIDENCE orchestrator>both, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::base);
  CHECK(b.state.findings.empty());
  CHECK(inbox_of(b.state).at(0).otherwise.size() == 2);
  of_base(b, EvidenceStatus::red);
  CHECK(b.state.questions.size() == 1);

  SUBCASE("part of the task") {
    CHECK(b.human(Reply{"that is the task", ReplyDecision::none, 2, {}}).ok());
    CHECK(where(b.state) == "RUNNING 1 codex/implementer");
    b.implement(1);
    CHECK(next_tree(b.state) == tree(1));
    b.evidence(EvidenceStatus::red);
    CHECK(ledger_text(b.state.findings) == "F1.1 P1 open orchestrator");
  }
  SUBCASE("dropped") {
    const Done dropped = b.human(ChangeProfile{{{{"lint", "make lint"}}, "", "", {"test"}}});
    CHECK(envelopes(dropped.events) == "profile_changed human>both, HUMAN_REPLY human>both");
    CHECK(where(b.state) == "RUNNING 1 codex/implementer");
    CHECK(names(dropped.events[1].tell) == "codex");
    CHECK(next_tree(b.state) == tree(kBase));  // by the new profile
  }
  SUBCASE("stopped") {
    CHECK(b.human(Stop{""}).ok());
    CHECK_FALSE(due_run(b.state));
  }
}

TEST_CASE(
    "checks that cannot run on the base ask as anywhere, and the reply tries the base again") {
  Bubble b = Bubble::running(base_first_policy());
  of_base(b, EvidenceStatus::unable);
  CHECK(b.state.questions.at(0).kind == QuestionKind::unable);
  CHECK_FALSE(due_run(b.state));
  CHECK(b.human(Reply{"mended", ReplyDecision::none, 2, {}}).ok());
  CHECK(next_tree(b.state) == tree(kBase));
}

TEST_CASE("a question about the checks names those that it is about, and what drops them") {
  Bubble b = Bubble::running(base_first_policy());
  ReportEvidence e;
  e.tree = b.state.place.base_tree;
  e.profile = profile_hash(b.state.policy.profile);
  e.checks = {{"test", "make test", 1, 7, false},
              {"nocmd", "gone --x", 127, 7, false, false, "not found: exit 127"},
              {"it's", "make it", 1, 7, false},
              {"lint", "make lint", 0, 7, false}};
  e.what = "make test, gone --x (not found: exit 127), make it";
  SUBCASE("unable") {
    e.status = EvidenceStatus::unable;
    b.orchestrator(e);
    const std::string& text = b.state.questions.at(0).text;
    CHECK(text.contains("could not run: gone --x (not found: exit 127). "));
    CHECK(text.contains("--check nocmd=CMD"));
    CHECK(inbox_of(b.state).at(0).otherwise.at(0).ends_with(" --drop-check nocmd"));
  }
  SUBCASE("unable to set up") {
    e.status = EvidenceStatus::unable;
    e.checks = {{"setup", "npm ci", 1, 7, false, false, "failed: exit 1"}};
    b.orchestrator(e);
    CHECK(b.state.questions.at(0).text.contains("could not run: npm ci (failed: exit 1). "));
    CHECK(!b.state.questions.at(0).text.contains("profile"));
    CHECK(inbox_of(b.state).at(0).otherwise.empty());
  }
  SUBCASE("red on the base") {
    e.status = EvidenceStatus::red;
    e.checks.erase(e.checks.begin() + 1);
    b.orchestrator(e);
    const std::string& text = b.state.questions.at(0).text;
    CHECK(text.contains("red before any change: make test, make it. "));
    CHECK(text.contains("--drop-check test --drop-check 'it'\\''s'. "));
    CHECK(inbox_of(b.state).at(0).otherwise.at(0).ends_with("test --drop-check 'it'\\''s'"));
  }
}

TEST_CASE("what the base said is not forgotten over many other trees") {
  Policy policy = base_first_policy();
  policy.max_rounds = 90;
  Bubble b = Bubble::running(policy);
  of_base(b, EvidenceStatus::green);
  for (int i = 1; i <= 40; ++i) {
    b.implement(i);
    b.evidence(EvidenceStatus::green);
    b.review({"P1:no"});
  }
  CHECK(b.state.evidence.size() == 16);
  CHECK(evidence_for(b.state, tree(kBase)) != nullptr);
}

TEST_CASE("where a check comes from is not part of what is run") {
  Profile profile = checked_policy().profile;
  const Hash before = profile_hash(profile);
  profile.checks[0].from = "flag";
  profile.dropped = {"lint"};
  CHECK(profile_hash(profile) == before);
  profile.checks[0].command = "make other";
  CHECK(profile_hash(profile) != before);
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
      CHECK(run->run == DueRun{tree(1)});
      CHECK(run->profile == profile_hash(b.state.policy.profile));
    }
  CHECK(runs == 1);
}

}  // namespace
}  // namespace pf::bubble
