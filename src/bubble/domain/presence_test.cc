#include <doctest/doctest.h>

#include <algorithm>

#include "bubble/domain/outstanding.h"
#include "bubble/domain/testing.h"
#include "bubble/domain/views.h"
#include "bubble/domain/watchdog.h"

namespace pf::bubble::testing {
namespace {

using namespace std::chrono_literals;

ReportLaunch process_of(const Bubble& b, const AgentName& agent, std::string conversation = "") {
  const Agent& known = *b.state.agent(agent);
  ReportLaunch launch{agent, known.launch_role, known.wanted, "%1", "k"};
  launch.confirms = true;
  launch.conversation = std::move(conversation);
  return launch;
}

// Codex and Claude run, and Codex has taken the task.
Bubble with_processes(Policy policy = test_policy()) {
  Bubble b = Bubble::running(std::move(policy));
  b.orchestrator(process_of(b, kCodex));
  b.orchestrator(process_of(b, kClaude, "claude-1"));
  b.orchestrator(ReportPrompt{kCodex, b.state.agent(kCodex)->deliveries.back().cause, "codex-1"});
  return b;
}

const Agent& codex(const Bubble& b) { return *b.state.agent(kCodex); }

Observed panes_of(const Bubble& b, Seq submitted) {
  Observed seen;
  seen.session = true;
  for (const Agent& agent : b.state.agents)
    seen.panes.push_back({agent.name, "%1", "k", agent.launched, submitted});
  return seen;
}

template <class E>
int count(const std::vector<Effect>& effects) {
  return static_cast<int>(
      std::ranges::count_if(effects, [](const Effect& e) { return std::holds_alternative<E>(e); }));
}

}  // namespace

TEST_CASE("a line that was entered is awaited until the program takes it") {
  Bubble b = Bubble::running();
  b.orchestrator(process_of(b, kCodex));
  b.orchestrator(process_of(b, kClaude));
  const Seq cause = codex(b).deliveries.back().cause;
  CHECK(count<Deliver>(outstanding(b.state, panes_of(b, Seq::none))) == 2);
  CHECK(count<AwaitPrompt>(outstanding(b.state, panes_of(b, b.state.last_seq))) == 2);
  b.orchestrator(ReportPrompt{kCodex, cause, "codex-1"});
  CHECK(count<AwaitPrompt>(outstanding(b.state, panes_of(b, b.state.last_seq))) == 1);
  CHECK(codex(b).conversation == "codex-1");
  CHECK(b.orchestrator(ReportPrompt{kCodex, cause, "codex-1"}).events.empty());      // told again
  CHECK(b.orchestrator(ReportPrompt{kCodex, Seq::none, "codex-1"}).events.empty());  // the human's
  CHECK_FALSE(b.orchestrator(ReportPrompt{kCodex, Seq::none, "codex-2"}).events.empty());
  CHECK(codex(b).conversation == "codex-2");
}

TEST_CASE("a process that only has to wait needs no line") {
  Bubble b = Bubble::running();
  ReportLaunch launch = process_of(b, kClaude, "claude-1");
  launch.covers = b.state.agent(kClaude)->deliveries.back().cause;
  b.orchestrator(launch);
  CHECK(b.state.agent(kClaude)->deliveries.empty());
}

TEST_CASE("an agent that stops without handing over is sent back once, then the human is asked") {
  Bubble b = with_processes();
  const Done first = b.as(kCodex, EndTurn{"I am done"});
  REQUIRE(first.rejection);
  CHECK(first.rejection->reason == "no_handover");
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  const Done second = b.as(kCodex, EndTurn{"really done"});
  CHECK(envelopes(second.events) == "HUMAN_QUESTION orchestrator>human");
  CHECK(b.state.questions.back().kind == QuestionKind::no_handover);
  CHECK(b.state.questions.back().text.find("really done") != std::string::npos);
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
  b.human(Reply{"finish the tests", ReplyDecision::none, 2, {}});
  const Seq told = codex(b).deliveries.back().cause;
  CHECK(b.as(kCodex, EndTurn{}).events.empty());  // of what it did before the reply
  b.orchestrator(ReportPrompt{kCodex, told, "codex-1"});
  CHECK(b.as(kCodex, EndTurn{}).rejection);  // a new turn, a new chance
}

TEST_CASE("whoever is not on turn, or waits for the checks or the human, may stop") {
  Policy policy = test_policy();
  policy.profile.checks = {{"test", "make"}};
  Bubble b = with_processes(policy);
  CHECK(b.as(kClaude, EndTurn{}).events.empty());
  CHECK_FALSE(b.as(kClaude, EndTurn{}).rejection);
  b.implement(1);
  b.orchestrator(process_of(b, kClaude, "claude-2"));
  const Agent& claude = *b.state.agent(kClaude);
  CHECK_FALSE(b.as(kClaude, EndTurn{}).rejection);  // its line has not reached it
  b.orchestrator(ReportPrompt{kClaude, claude.deliveries.back().cause, "claude-2"});
  CHECK_FALSE(b.as(kClaude, EndTurn{}).rejection);  // the checks run
  b.evidence(EvidenceStatus::green);
  b.orchestrator(
      ReportPrompt{kClaude, b.state.agent(kClaude)->deliveries.back().cause, "claude-2"});
  CHECK(b.as(kClaude, EndTurn{}).rejection);
  b.as(kClaude, AskHuman{"which?"});
  CHECK_FALSE(b.as(kClaude, EndTurn{}).rejection);
  CHECK(b.as(AgentName("mallory"), EndTurn{}).events.empty());
  CHECK(b.human(EndTurn{}).rejection);
}

TEST_CASE("a killed agent goes on in its conversation; what it took is not told again") {
  Bubble b = with_processes();
  b.orchestrator(ReportExit{kCodex, "exit 137"});
  b.dead = {kCodex};
  b.human(Resume{});
  CHECK(codex(b).conversation == "codex-1");
  CHECK(codex(b).spoken);
  REQUIRE(codex(b).deliveries.size() == 1);
  const Delivery& due = codex(b).deliveries.back();
  const std::string line = delivery_line(b.state, kCodex, due, {"/w", "/m", "/a"});
  CAPTURE(line);
  CHECK(line.find("TASK") == std::string::npos);
  CHECK(line_number(line) == due.cause);
}

TEST_CASE("an agent whose session was lost is only told to go on") {
  Bubble b = with_processes();
  b.dead = {kCodex, kClaude};
  b.human(Resume{});
  REQUIRE(codex(b).deliveries.size() == 1);
  const std::string line =
      delivery_line(b.state, kCodex, codex(b).deliveries.back(), {"/w", "/m", "/a"});
  CHECK(line.find("go on where you were") != std::string::npos);
}

TEST_CASE("a killed agent that had not taken its line gets it in the next process") {
  Bubble b = Bubble::running();
  b.orchestrator(process_of(b, kCodex));
  const Seq message = codex(b).deliveries.back().message;
  b.orchestrator(ReportExit{kCodex, "exit 137"});
  b.dead = {kCodex};
  b.human(Resume{});
  CHECK_FALSE(codex(b).spoken);
  CHECK(std::ranges::count(codex(b).deliveries, message, &Delivery::message) == 1);
}

TEST_CASE("a conversation that could not be continued is given up") {
  Bubble b = with_processes();
  b.orchestrator(ReportExit{kCodex, "exit 137"});
  b.dead = {kCodex};
  b.human(Resume{});
  b.orchestrator(process_of(b, kCodex, "codex-1"));
  b.orchestrator(ReportExit{kCodex, "exit 137", 137});  // killed before it took anything
  CHECK(codex(b).conversation == "codex-1");
  b.human(Resume{});
  b.orchestrator(process_of(b, kCodex, "codex-1"));
  b.orchestrator(ReportExit{kCodex, "exit 1", 1});  // by itself
  CHECK(codex(b).conversation.empty());
  CHECK_FALSE(codex(b).spoken);
}

TEST_CASE("what a hook says cannot become an option, a line from the future or an endless list") {
  Bubble b = with_processes();
  for (const char* id : {"--settings=/evil", "-c", "_x", "a b", "a;b", "../x", "a\nb"})
    CHECK(b.orchestrator(ReportPrompt{kCodex, Seq::none, id}).events.empty());
  CHECK(b.orchestrator(ReportPrompt{kCodex, Seq{1'000'000}, "codex-1"}).events.empty());
  int filed = 0;
  for (int i = 0; i < 50; ++i)
    filed +=
        !b.orchestrator(ReportPrompt{kCodex, Seq::none, fmt::format("c-{}", i)}).events.empty();
  CHECK(filed < 10);
  filed = 0;
  for (int i = 0; i < 100; ++i) {
    filed += !b.orchestrator(ReportHindrance{kCodex, Obstacle::dialog, fmt::format("{}", i)})
                  .events.empty();
    b.orchestrator(ReportFreed{kCodex});
  }
  CHECK(filed == 20);
}

TEST_CASE("a message that was waited out does not hold the agent up again in this turn") {
  Bubble b = with_processes();
  b.orchestrator(ReportHindrance{kCodex, Obstacle::overload, "529", "2026-11-15T15:00:00Z"});
  b.orchestrator(ReportFreed{kCodex, true});
  CHECK(b.orchestrator(ReportHindrance{kCodex, Obstacle::overload, "529", "2026-11-15T15:02:00Z"})
            .events.empty());
  CHECK_FALSE(b.orchestrator(ReportHindrance{kCodex, Obstacle::limit, "limit"}).events.empty());
}

TEST_CASE("a program that tried by itself and gave up is told to go on later") {
  Bubble b = with_processes();
  b.orchestrator(ReportHindrance{kCodex, Obstacle::overload, "retrying"});
  CHECK_FALSE(next_release(b.state));
  CHECK(b.orchestrator(ReportHindrance{kCodex, Obstacle::overload, "still"}).events.empty());
  b.orchestrator(ReportHindrance{kCodex, Obstacle::overload, "529", "2026-11-15T15:00:00Z"});
  CHECK(next_release(b.state));
}

TEST_CASE("after a reboot nobody knows how long a turn has lasted") {
  Bubble b = with_processes();
  const Moment now{"another boot", 100'000'000};
  CHECK(watchdog_deadline_ms(b.state, now, now, {}) == 100'000'000 + 5 * 60'000);
}

TEST_CASE("another role, and each fresh review, begins a new conversation") {
  Bubble b = with_processes();
  const Done handed = b.implement(1);
  CHECK(names(handed.events[0].afresh) == "claude");
  CHECK(b.state.agent(kClaude)->conversation.empty());
  CHECK(codex(b).conversation == "codex-1");
  b.orchestrator(process_of(b, kClaude, "claude-2"));
  const Done back = b.review({"P1:wrong"});
  CHECK(back.events[0].relaunch.empty());  // the implementer's process goes on
  CHECK(codex(b).conversation == "codex-1");
  b.implement(2);
  b.pass_clean();  // the roles are swapped
  CHECK(codex(b).conversation.empty());
}

TEST_CASE("a dialog is in the inbox until it is gone, and nothing is delivered meanwhile") {
  Bubble b = with_processes();
  b.orchestrator(ReportHindrance{kCodex, Obstacle::dialog, "Allow \x1b[1m it?"});
  CHECK(b.orchestrator(ReportHindrance{kCodex, Obstacle::dialog, "Allow \x1b[1m it?"})
            .events.empty());
  const auto inbox = inbox_of(b.state);
  REQUIRE(inbox.size() == 1);
  CHECK(inbox[0].kind == "dialog");
  CHECK(inbox[0].text.find('\x1b') == std::string::npos);
  CHECK(inbox[0].command == "pairflow bubble attach --id b_test");
  CHECK_FALSE(is_watched(b.state));
  CHECK(count<Deliver>(outstanding(b.state, panes_of(b, Seq::none))) == 1);  // the other one's
  b.orchestrator(ReportFreed{kCodex});
  CHECK(inbox_of(b.state).empty());
  CHECK(is_watched(b.state));
  CHECK(b.orchestrator(ReportFreed{kCodex}).events.empty());
}

TEST_CASE("what an agent does itself shows that nothing holds it up") {
  Bubble b = with_processes();
  b.orchestrator(ReportHindrance{kCodex, Obstacle::dialog, "x"});
  b.as(kCodex, AskHuman{"?"});
  CHECK_FALSE(codex(b).hindrance);
}

TEST_CASE("a usage limit is waited out, then the agent is told once more") {
  Bubble b = with_processes();
  b.orchestrator(ReportHindrance{kCodex, Obstacle::limit, "limit", "2026-11-15T15:00:00Z"});
  const WallTime until = parse_iso8601("2026-11-15T15:00:00Z");
  const auto release = next_release(b.state);
  REQUIRE(release);
  CHECK(release->agent == kCodex);
  CHECK(release->at == until);
  b.idle = 1h;
  b.wall = WallTime{until.ms - 1000};
  CHECK(b.orchestrator(CheckIdle{}).events.empty());
  const Moment now{"boot", 1'000'000};
  CHECK(watchdog_deadline_ms(b.state, {}, now, {until.ms - 60'000}) ==
        1'000'000 + 60'000 + 5 * 60'000);
  const std::size_t before = codex(b).deliveries.size();
  b.orchestrator(ReportFreed{kCodex, true});
  CHECK(codex(b).deliveries.size() == std::max<std::size_t>(before, 1));
  CHECK(codex(b).deliveries.back().cause == b.state.last_seq);
}

TEST_CASE("the watchdog counts signs of life, but a turn has an end") {
  Bubble b = with_processes();
  b.idle = 4min;
  b.turn_age = 30min;
  CHECK(b.orchestrator(CheckIdle{}).events.empty());
  b.turn_age = 60min;
  b.seen = "Last seen: using Bash.";
  const Done done = b.orchestrator(CheckIdle{});
  REQUIRE(done.events.size() == 1);
  CHECK(b.state.questions.back().text.find("has not handed over for 1h") != std::string::npos);
  CHECK(b.state.questions.back().text.find("using Bash") != std::string::npos);
}

TEST_CASE("the number of a line is read from its beginning alone") {
  CHECK(line_number("[pairflow #12] you are") == Seq{12});
  CHECK(line_number("  [pairflow #7]") == Seq{7});
  for (const char* other : {"", "[pairflow]", "[pairflow #]", "[pairflow #x]", "[pairflow #12",
                            "say [pairflow #12]", "[pairflow #99999999999999999999]"})
    CHECK(line_number(other) == Seq::none);
}

}  // namespace pf::bubble::testing
