// BUBBLE rows 23 to 30: the human's answers, resume and replan.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

Reply message(std::string text) { return {std::move(text), ReplyDecision::none, 2, {}}; }

TEST_CASE("row 23: a reply to the last question goes on where it was") {
  Bubble b = Bubble::running();
  b.as(kCodex, AskHuman{"which port?"});
  b.dead = {kClaude};
  const Done done = b.human(message("8080"));
  CHECK(envelopes(done.events) == "HUMAN_REPLY human>codex");
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  CHECK(names(done.events[0].tell) == "codex");
  CHECK(names(done.events[0].relaunch) == "claude");
  CHECK(b.state.questions.empty());
  CHECK(b.state.last_activity.mono_ms == done.events[0].moment.mono_ms);  // watchdog from zero
}

TEST_CASE("row 23: the answer to a question of ours goes to the active agent") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.idle = std::chrono::hours(1);
  b.orchestrator(CheckIdle{});
  const Done done = b.human(message("go on"));
  CHECK(envelopes(done.events) == "HUMAN_REPLY human>claude");
  CHECK(names(done.events[0].tell) == "claude");
  CHECK(done.events[0].relaunch.empty());  // never for a live pane
}

TEST_CASE("row 23: a decision is no answer to a plain question") {
  Bubble b = Bubble::running();
  b.as(kCodex, AskHuman{"?"});
  CHECK(b.decides(ReplyDecision::accept).exit() == 1);
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
}

TEST_CASE("row 24: others still open; the oldest first, or the one that is named") {
  Bubble b = Bubble::running();
  const MessageId first = b.as(kClaude, AskHuman{"one"}).events[0].id;
  const MessageId second = b.as(kCodex, AskHuman{"two"}).events[0].id;
  const MessageId third = b.as(kCodex, AskHuman{"three"}).events[0].id;
  CHECK(b.human(message("a")).body<Replied>().question == first);
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.human({Reply{"c", ReplyDecision::none, 2, third}}).body<Replied>().question == third);
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  CHECK(b.human({Reply{"x", ReplyDecision::none, 2, third}}).exit() == 1);
  CHECK(b.human(message("b")).body<Replied>().question == second);
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
}

TEST_CASE("row 24: a decision comes after the plain questions") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P2:naming"});
  b.as(kCodex, AskHuman{"may I?"});
  const Done early = b.decides(ReplyDecision::accept);
  CHECK(early.exit() == 1);
  CHECK(early.rejection->error.what.find("other questions") != std::string::npos);
  CHECK(b.human(message("yes")).ok());
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK(b.decides(ReplyDecision::accept).ok());
}

TEST_CASE("row 25: accept of minor findings is a clean verdict") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done pass = b.review({"P2:naming"});
  const Done done = b.decides(ReplyDecision::accept);
  CHECK(envelopes(done.events) == "HUMAN_REPLY human>codex");
  CHECK(where(b.state) == "RUNNING 2 codex/reviewer");
  CHECK(ledger_text(b.state.findings) == "F1.1 P2 waived claude");
  CHECK(b.state.findings[0].reason == "my word");
  CHECK(b.state.clean.size() == 1);
  CHECK(names(done.events[0].relaunch) == "codex");
  // the held PASS and the reply, in this order
  const Agent& codex = *b.state.agent(kCodex);
  REQUIRE(codex.deliveries.size() == 2);
  CHECK(codex.deliveries[0].message == pass.events[0].seq);
  CHECK(codex.deliveries[0].type == "PASS");
  CHECK(codex.deliveries[1].message == done.events[0].seq);
}

TEST_CASE("row 25: accept of a dispute while another P1 is open goes to the implementer") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one", "P1:two"});
  b.implement(1, Bubble::disputes({"F1.1", "F1.2"}));
  b.review({"F1.1", "P0:three"}, {FindingId("F1.2")});
  const Done done = b.decides(ReplyDecision::accept);
  CHECK(where(b.state) == "RUNNING 3 codex/implementer");
  CHECK(ledger_text(b.state.findings) ==
        "F1.1 P1 waived claude, F1.2 P1 resolved claude, F2.1 P0 open claude");
  CHECK(b.state.clean.empty());
  CHECK(done.events[0].clears);
}

TEST_CASE("row 25: in the last round such an accept asks for more rounds") {
  Policy policy = test_policy();
  policy.max_rounds = 2;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.review({"P1:one"});
  b.implement(1, Bubble::disputes({"F1.1"}));
  b.review({"F1.1", "P0:two"});
  const Done done = b.decides(ReplyDecision::accept);
  CHECK(envelopes(done.events) == "HUMAN_REPLY human>claude, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 2 claude/reviewer");
  REQUIRE(b.state.questions.size() == 1);
  CHECK(b.state.questions[0].kind == QuestionKind::max_rounds);
  CHECK(b.decides(ReplyDecision::go_on).ok());
  CHECK(where(b.state) == "RUNNING 3 codex/implementer");
  CHECK(b.state.limit == 4);
}

TEST_CASE("row 25: a claimed evidence finding does not turn an accept into blocking") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.evidence(EvidenceStatus::red);
  b.review({"P1:one"});
  b.implement(2, Claims{{FindingId("F1.2")}, {}});
  b.review({"P2:naming"}, {FindingId("F1.2")});
  CHECK(b.state.questions.at(0).about == std::vector{FindingId("F2.1")});
  b.decides(ReplyDecision::accept);
  CHECK(where(b.state) == "RUNNING 3 codex/reviewer");
  CHECK(b.state.finding(FindingId("F1.1"))->status == FindingStatus::claimed);
}

TEST_CASE("row 26: continue upholds a dispute") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  b.implement(1, Bubble::disputes({"F1.1"}));
  const Done pass = b.review({"F1.1"});
  const Done done = b.decides(ReplyDecision::go_on);
  CHECK(envelopes(done.events) == "HUMAN_REPLY human>codex");
  CHECK(where(b.state) == "RUNNING 3 codex/implementer");
  CHECK(b.state.limit == 3);
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 upheld claude");
  CHECK(b.state.agent(kCodex)->deliveries.at(0).message == pass.events[0].seq);
  CHECK(b.implement(1, Bubble::disputes({"F1.1"})).reason() == "not_disputable");
}

TEST_CASE("row 26: a bare message never accepts") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P2:naming"});
  CHECK(b.human(message("hm")).body<Replied>().decision == ReplyDecision::go_on);
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");
  CHECK(ledger_text(b.state.findings) == "F1.1 P2 open claude");
}

TEST_CASE("row 26: continue after the last round raises the limit") {
  Policy policy = test_policy();
  policy.max_rounds = 1;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.review({"P1:one"});
  CHECK(b.decides(ReplyDecision::go_on, 0).exit() == 2);
  CHECK(b.decides(ReplyDecision::go_on, -3).exit() == 2);
  CHECK(b.decides(ReplyDecision::go_on, 2'000'000'000).exit() == 2);
  CHECK(b.decides(ReplyDecision::go_on).ok());
  CHECK(b.state.limit == 3);
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");
}

TEST_CASE("row 26: one more round is a round, also after the exempt second review") {
  Policy policy = test_policy();
  policy.max_rounds = 1;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.pass_clean();
  b.review({"P1:one"});  // round 2 of 1
  CHECK(where(b.state) == "WAITING_HUMAN 2 codex/reviewer");
  CHECK(b.decides(ReplyDecision::go_on, 1).ok());
  CHECK(where(b.state) == "RUNNING 3 claude/implementer");
  CHECK(b.state.limit == 3);
}

TEST_CASE("row 27: resume answers every plain question") {
  Bubble b = Bubble::running();
  b.as(kClaude, AskHuman{"one"});
  b.as(kClaude, AskHuman{"two"});
  b.dead = {kCodex};
  const Done done = b.human(Resume{});
  CHECK(envelopes(done.events) == "HUMAN_REPLY human>claude, HUMAN_REPLY human>claude");
  CHECK(done.body<Replied>().resumed);
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  CHECK(names(done.events[1].tell) == "claude codex");
  CHECK(names(done.events[1].relaunch) == "codex");
  CHECK(b.state.questions.empty());
}

TEST_CASE("row 27: resume makes no decision") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P3:typo"});
  const Done done = b.human(Resume{});
  CHECK(done.exit() == 1);
  CHECK(done.rejection->error.fix.find("--decision") != std::string::npos);
  CHECK(b.as(kCodex, Resume{}).exit() == 1);  // nor does an agent
}

TEST_CASE("row 28: resume in RUNNING restores and delivers again") {
  Bubble b = Bubble::running();
  b.dead = {kCodex, kClaude};
  const Done done = b.human(Resume{});
  CHECK(envelopes(done.events) == "resumed human>orchestrator");
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  CHECK(names(done.events[0].relaunch) == "codex claude");
  CHECK(b.state.agent(kCodex)->deliveries.back().cause == done.events[0].seq);
  CHECK(b.state.agent(kCodex)->deliveries.back().type == "TASK");
  CHECK(b.state.last_activity.mono_ms == done.events[0].moment.mono_ms);
}

TEST_CASE("row 29: resume in READY and APPROVED repairs the session only") {
  Bubble b = Bubble::running();
  b.converge_on(1);
  b.dead = {kClaude};
  CHECK(envelopes(b.human(Resume{}).events) == "resumed human>orchestrator");
  CHECK(where(b.state) == "READY_FOR_APPROVAL 2 -");
  b.human(Approve{});
  CHECK(names(b.human(Resume{}).events[0].relaunch) == "claude");
  CHECK(where(b.state) == "APPROVED_FOR_COMMIT 2 -");
}

TEST_CASE("resume before the start is refused") {
  Bubble b;
  b.human(create_with(test_policy()));
  CHECK(b.human(Resume{}).exit() == 1);
  b.human(Start{});
  CHECK(b.human(Resume{}).exit() == 1);
}

TEST_CASE("row 30: replan supersedes questions and starts a round with a new allowance") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.review({"P2:naming"});
  b.as(kClaude, AskHuman{"?"});
  b.worktree.tree = tree(2);
  const Done done = b.human(Replan{"do that"});
  CHECK(envelopes(done.events) ==
        "HUMAN_REPLY human>both, HUMAN_REPLY human>both, TASK orchestrator>claude");
  CHECK(done.body<Replied>().superseded);
  CHECK(where(b.state) == "RUNNING 3 claude/implementer");
  CHECK(b.state.limit == 5);  // (3 - 1) + 3
  CHECK(b.state.task == "do that");
  CHECK(b.state.target == tree(2));
  CHECK(b.state.clean.empty());
  CHECK(b.state.questions.empty());
  CHECK(ledger_text(b.state.findings) == "F2.1 P2 open codex");
  CHECK(names(done.events[2].tell) == "claude codex");
  CHECK(done.events[2].round == 3);
}

TEST_CASE("row 30: a retry of the same replan is refused") {
  Bubble b = Bubble::running();
  CHECK(b.human(Replan{"do that"}).ok());
  CHECK(b.human(Replan{"do that"}).exit() == 1);
  CHECK(b.state.round == 2);
  Bubble ready = Bubble::running();
  ready.converge_on(1);
  CHECK(ready.human(Replan{"x"}).exit() == 1);
}

TEST_CASE("row 30: replan starts an agent anew that ended while the human was asked") {
  Bubble b = Bubble::running();
  b.orchestrator(ReportLaunch{kCodex, Role::implementer, b.state.agent(kCodex)->wanted, "%1", "k"});
  b.as(kCodex, AskHuman{"?"});
  b.orchestrator(ReportExit{kCodex, "exit 1"});
  CHECK(names(b.human(Replan{"x"}).events.back().relaunch) == "codex");
}

TEST_CASE("a human verb prepared on another turn is refused") {
  Bubble b = Bubble::running();
  const Seq turn = b.state.turn;
  b.as(kCodex, AskHuman{"?"});
  CHECK(b.human(Resume{}, turn).exit() == 1);
  CHECK(b.human(Resume{}, b.state.turn).ok());
}

}  // namespace
}  // namespace pf::bubble
