#include "bubble/host/wakes.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

bubble::State running() {
  bubble::State state;
  state.phase = bubble::Phase::running;
  state.policy.watchdog_minutes = 5;
  state.last_activity = {"boot", 1'000};
  state.last_seq = Seq{10};
  state.turn = Seq{9};
  return state;
}

bubble::Question question(Seq seq) {
  bubble::Question question;
  question.seq = seq;
  return question;
}

}  // namespace

TEST_CASE("the watchdog bites after its minutes of awake time, not before") {
  const bubble::State state = running();
  SupervisorCore core(state);
  auto plan = core.step(state, false, {{"boot", 1'000 + 299'999}});
  CHECK_FALSE(plan.check_idle);
  CHECK(core.wake_at() == MonoTime{milliseconds(1'000) + minutes(5)});
  plan = core.step(state, false, {{"boot", 1'000 + 300'000}});
  CHECK(plan.check_idle);
}

TEST_CASE("what its hooks told last counts as a sign of life") {
  const bubble::State state = running();
  SupervisorCore core(state);
  SupervisorCore::Now now{{"boot", 1'000 + 300'000}};
  now.sign = Moment{"boot", 200'000};
  CHECK_FALSE(core.step(state, false, now).check_idle);
  CHECK(core.wake_at() == MonoTime{milliseconds(200'000) + minutes(5)});
}

TEST_CASE("an agent is let go on when the time of what held it up is over, not before") {
  bubble::State state = running();
  const WallTime until{1'771'675'200'000};
  bubble::Agent agent;
  agent.name = AgentName("codex");
  agent.hindrance = bubble::Hindrance{bubble::Obstacle::limit, "limit", iso8601(until), "", ""};
  state.agents = {agent};
  SupervisorCore core(state);
  CHECK_FALSE(core.step(state, false, {{"boot", 2'000}, {until.ms - 700}}).release);
  CHECK(core.wake_at() == MonoTime{milliseconds(2'700)});
  CHECK(core.step(state, false, {{"boot", 2'700}, until}).release == AgentName("codex"));
}

TEST_CASE("after a reboot it counts from the boot") {
  const bubble::State state = running();
  SupervisorCore core(state);
  CHECK_FALSE(core.step(state, false, {{"other", 299'999}}).check_idle);
  CHECK(core.step(state, false, {{"other", 300'000}}).check_idle);
}

TEST_CASE("it sleeps for ever while the human is asked") {
  bubble::State state = running();
  state.phase = bubble::Phase::waiting;
  SupervisorCore core(state);
  CHECK_FALSE(core.step(state, false, {{"boot", 999'999'999}}).check_idle);
  CHECK_FALSE(core.wake_at().has_value());
}

TEST_CASE("a question and a convergence are announced once, old ones never") {
  bubble::State state = running();
  state.questions = {question(Seq{4})};
  SupervisorCore core(state);
  CHECK(core.step(state, false, {{"boot", 0}}).notices.empty());
  state.questions.push_back(question(Seq{11}));
  state.questions.push_back(question(Seq{12}));
  state.last_seq = Seq{12};
  CHECK(core.step(state, false, {{"boot", 0}}).notices == std::vector{Notice::waiting_human});
  CHECK(core.step(state, false, {{"boot", 0}}).notices.empty());
  state.phase = bubble::Phase::ready;
  state.questions.clear();
  state.turn = state.last_seq = Seq{14};
  CHECK(core.step(state, false, {{"boot", 0}}).notices == std::vector{Notice::converged});
  CHECK(core.step(state, false, {{"boot", 0}}).notices.empty());
}

TEST_CASE("failures are tried again, less and less often") {
  bubble::State state = running();
  state.phase = bubble::Phase::waiting;
  SupervisorCore core(state);
  core.step(state, true, {{"boot", 0}});
  CHECK(core.wake_at() == MonoTime{milliseconds(250)});
  core.step(state, true, {{"boot", 0}});
  CHECK(core.wake_at() == MonoTime{milliseconds(500)});
  for (int i = 0; i < 20; ++i) core.step(state, true, {{"boot", 0}});
  CHECK(core.wake_at() == MonoTime{milliseconds(60'000)});
  core.step(state, false, {{"boot", 0}});
  CHECK_FALSE(core.wake_at().has_value());
}

TEST_CASE("it ends with the bubble, once that is closed down") {
  bubble::State state = running();
  SupervisorCore core(state);
  CHECK_FALSE(core.step(state, false, {{"boot", 0}}).finish);
  state.phase = bubble::Phase::cancelled;
  CHECK_FALSE(core.step(state, false, {{"boot", 0}}).finish);
  state.closed = true;
  CHECK(core.step(state, false, {{"boot", 0}}).finish);
  state.phase = bubble::Phase::preparing;
  CHECK_FALSE(core.step(state, false, {{"boot", 0}}).finish);
  state.trouble = "setup failed";
  CHECK(core.step(state, false, {{"boot", 0}}).finish);
}

}  // namespace pf
