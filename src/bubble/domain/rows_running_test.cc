// BUBBLE rows 14 to 22: convergence, refusals, and what parks a bubble.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;
using namespace std::chrono_literals;

TEST_CASE("row 14: the second reviewer's converged asks for approval") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  const Done done = b.reviewer(agreed("both agree"));
  CHECK(envelopes(done.events) ==
        "CONVERGENCE codex>orchestrator, APPROVAL_REQUEST orchestrator>human");
  CHECK(where(b.state) == "READY_FOR_APPROVAL 2 -");
  CHECK(b.state.converged_tree == tree(1));
  CHECK(done.body<Converged>().reviewers == std::vector{kClaude, kCodex});
  CHECK(done.body<ApprovalRequested>(1).tree == tree(1));
  CHECK(b.state.clean.size() == 2);
  CHECK(b.state.questions.empty());
}

TEST_CASE("row 15: converged by the first reviewer is refused: alternation is missing") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done done = b.reviewer(agreed("me alone"));
  CHECK(done.exit() == 1);
  CHECK(done.warned);
  REQUIRE(done.rejection->unmet.size() == 1);
  CHECK(done.rejection->unmet[0].find("codex has no clean verdict") != std::string::npos);
  CHECK(where(b.state) == "RUNNING 1 claude/reviewer");
}

TEST_CASE("row 15: converged by the implementer, and with everything unmet at once") {
  Bubble b = Bubble::running();
  CHECK(b.implementer(agreed("x")).rejection->unmet.size() == 2);
  b.implement(1);
  b.review({"P1:one"});
  const Done done = b.implementer(agreed("x"));
  CHECK(done.rejection->unmet.size() == 3);
  CHECK(done.warned);
}

TEST_CASE("row 15: converged on another tree is refused and the tree is looked at") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.worktree.tree = tree(2);
  const Done done = b.reviewer(agreed("x"));
  CHECK(done.warned);
  CHECK(done.rejection->unmet.size() == 1);
  b.orchestrator(CheckTree{});
  CHECK(b.state.clean.empty());
  CHECK(b.reviewer(agreed("x")).reason() == "not_converged");
}

TEST_CASE("row 15: red evidence stops convergence until it is green") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.evidence(EvidenceStatus::red);
  const Done done = b.reviewer(agreed("x"));
  REQUIRE(done.rejection);
  CHECK(done.rejection->unmet.at(0).find("a green run or the human") != std::string::npos);
  b.evidence(EvidenceStatus::green);
  CHECK(b.reviewer(agreed("x")).ok());
}

TEST_CASE("row 16: the agent that is not active is refused") {
  Bubble b = Bubble::running();
  const Done pass = b.as(kClaude, Pass{"x", {}, {{}, true, {}}, {}, {}});
  CHECK(pass.exit() == 1);
  CHECK(pass.warned);
  CHECK(pass.reason() == "not_active");
  CHECK(b.as(kClaude, Converge{}).warned);
  const Done stranger = b.as(AgentName("mallory"), Pass{});
  CHECK(stranger.exit() == 1);
  CHECK_FALSE(stranger.rejection->warn);
  CHECK(b.human(Pass{}).exit() == 1);
  CHECK(b.orchestrator(Pass{}).exit() == 1);
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
}

TEST_CASE("an agent's verb of a turn that is over is refused") {
  Bubble b = Bubble::running();
  const Seq turn = b.state.turn;
  b.implement(1);
  b.review({"P1:one"});
  b.worktree.tree = tree(2);
  CHECK(b.as(kCodex, Pass{}, turn).reason() == "stale_turn");
  CHECK(b.as(kCodex, Pass{}, b.state.turn).ok());
}

TEST_CASE("row 17: either agent may ask the human, also while waiting") {
  Bubble b = Bubble::running();
  const Done first = b.as(kClaude, AskHuman{"which database?"});
  CHECK(envelopes(first.events) == "HUMAN_QUESTION claude>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.as(kCodex, AskHuman{"which port?"}).ok());
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.state.questions.size() == 2);
  CHECK(b.state.questions[0].kind == QuestionKind::ask);
  CHECK(b.state.questions[0].from == "claude");
}

TEST_CASE("row 17: there is an end to questions") {
  Bubble b = Bubble::running();
  for (int i = 0; i < 20; ++i) REQUIRE(b.as(kCodex, AskHuman{"again"}).ok());
  CHECK(b.as(kCodex, AskHuman{"again"}).reason() == "too_many_questions");
  CHECK(b.state.questions.size() == 20);
}

TEST_CASE("row 18: a silent active agent parks the bubble") {
  Bubble b = Bubble::running();
  b.idle = 4min + 59s;
  CHECK(b.orchestrator(CheckIdle{}).events.empty());
  b.idle = 5min;
  const Done done = b.human(CheckIdle{});  // the one-shot watchdog
  CHECK(envelopes(done.events) == "HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::watchdog);
  CHECK(done.body<Asked>().question.find("codex") != std::string::npos);
}

TEST_CASE("row 18: silence that was seen in another turn is no reason") {
  Bubble b = Bubble::running();
  const Seq turn = b.state.turn;
  b.implement(1);
  b.idle = 1h;
  CHECK(b.orchestrator(CheckIdle{}, turn).events.empty());
  CHECK(b.as(kCodex, CheckIdle{}).exit() == 1);  // no verb of an agent's
}

TEST_CASE("row 19: the active agent's end asks, the other one's is only noted") {
  Bubble b = Bubble::running();
  for (const AgentName& agent : {kCodex, kClaude})
    b.orchestrator(ReportLaunch{agent, Role::implementer, b.state.agent(agent)->wanted, "%1", "k"});
  CHECK(envelopes(b.orchestrator(ReportExit{kClaude, "exit 1"}).events) ==
        "agent_exited orchestrator>human");
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  CHECK(b.orchestrator(ReportExit{kClaude, "exit 1"}).events.empty());
  CHECK(envelopes(b.orchestrator(ReportExit{kCodex, "exit 2"}).events) ==
        "HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::agent_dead);
  CHECK(b.orchestrator(ReportExit{kCodex, "exit 2"}).events.empty());
  CHECK(b.orchestrator(ReportExit{AgentName("mallory"), "x"}).events.empty());
}

TEST_CASE("row 19: a process that is to be replaced is not missed") {
  Bubble b = Bubble::running();
  CHECK(b.orchestrator(ReportExit{kCodex, "exit 1"}).events.empty());
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
}

TEST_CASE("row 19: an inactive agent that ended is relaunched when its turn comes") {
  Policy policy = test_policy();
  policy.fresh_reviewer = false;
  Bubble b = Bubble::running(policy);
  b.orchestrator(ReportLaunch{kClaude, Role::reviewer, b.state.agent(kClaude)->wanted, "%1", "k"});
  b.orchestrator(ReportExit{kClaude, "exit 1"});
  CHECK(names(b.implement(1).events[0].relaunch) == "claude");
}

TEST_CASE("row 20: green evidence is filed and told to the reviewer") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done done = b.evidence(EvidenceStatus::green);
  CHECK(envelopes(done.events) == "EVIDENCE orchestrator>both");
  CHECK(names(done.events[0].tell) == "claude");
  CHECK(where(b.state) == "RUNNING 1 claude/reviewer");
  CHECK(evidence_for(b.state, tree(1))->status == EvidenceStatus::green);
  CHECK(b.state.findings.empty());
}

TEST_CASE("row 20: red evidence opens a P1 of the orchestrator, also while waiting") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.as(kClaude, AskHuman{"?"});
  const Done done = b.evidence(EvidenceStatus::red, "make test");
  CHECK(done.ok());
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 open orchestrator");
  CHECK(b.state.findings[0].title == "tests red: make test");
}

TEST_CASE("row 20: evidence for another tree is filed and changes nothing") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done done = b.orchestrator(ReportEvidence{tree(7), EvidenceStatus::red, "make", {}});
  CHECK(envelopes(done.events) == "EVIDENCE orchestrator>both");
  CHECK(done.events[0].tell.empty());
  CHECK(b.state.findings.empty());
  CHECK(evidence_for(b.state, tree(1)) == nullptr);
  CHECK(evidence_for(b.state, tree(7)) == nullptr);
}

TEST_CASE("row 21: void evidence is run once more, then the human is asked") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done first = b.evidence(EvidenceStatus::void_);
  CHECK(envelopes(first.events) == "EVIDENCE orchestrator>both");
  CHECK(first.body<Evidence>().paths == std::vector<std::string>{"out.txt"});
  CHECK(where(b.state) == "RUNNING 1 claude/reviewer");
  const Done second = b.evidence(EvidenceStatus::void_);
  CHECK(envelopes(second.events) ==
        "EVIDENCE orchestrator>both, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::void_);
}

TEST_CASE("row 22: pass and converged are refused while the human is asked") {
  Bubble b = Bubble::running();
  b.as(kClaude, AskHuman{"?"});
  b.worktree.tree = tree(1);
  const Done pass = b.as(kCodex, Pass{});
  CHECK(pass.exit() == 1);
  CHECK(pass.warned);
  CHECK(pass.reason() == "waiting_human");
  CHECK(pass.rejection->error.fix.find("you will be notified") != std::string::npos);
  CHECK(b.as(kCodex, Converge{}).warned);
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  // and it is notified, although the other agent asked
  const Done reply = b.human(Reply{"postgres", ReplyDecision::none, 2, {}});
  CHECK(names(reply.events[0].tell) == "claude codex");
}

}  // namespace
}  // namespace pf::bubble
