// What holds after every step of random runs.
#include <set>

#include "plan/domain/prompt.h"
#include "plan/domain/random_run.h"
#include "plan/domain/views.h"

namespace pf::plan {
namespace {

using namespace testing;

void phase_and_halt_agree(const State& s) {
  must(s.phase != Phase::none, "an open plan has a state");
  must((s.phase == Phase::awaiting_user_input || s.phase == Phase::error) == s.halt.has_value(),
       "a halt when nobody goes on");
  if (s.halt)
    must((s.phase == Phase::error) == (s.halt->kind == HaltKind::failed), "errors are failures");
  const Run* run = s.current();
  const bool works = is_active(s.phase) && run != nullptr && run->is_live();
  must(s.working_since.boot.empty() || works, "time counts while an agent works");
  must(!s.working_since.boot.empty() || !works || !run->recorded, "all of it");
}

void one_run_at_most(const State& s) {
  int live = 0, wanted = 0;
  std::set<int> numbers;
  for (const Run& run : s.runs) {
    live += run.is_live();
    wanted += !run.started() && !run.ending;
    must(numbers.insert(run.number).second, "run numbers are unique");
    must(run.number <= s.last_run, "run numbers rise");
    must(run.ending || run.started() || run.number == s.run, "only the run on turn is to start");
    if (run.ending) must(run.started() != (run.ending == Ending::dropped), "started or dropped");
  }
  must(live <= 1, "never two active runs");
  must(wanted <= 1, "never two runs to start");
  if (!is_active(s.phase)) return;
  const Run* run = s.current();
  must(run != nullptr && !run->ending, "an active phase has a run");
  must(phase_of(run->role) == s.phase && run->role != Role::explainer, "of its role");
  must(run->step == s.step, "on the active step");
  must(run->agent == s.policy.agent_of(run->role), "by its agent");
}

void steps_are_sound(const State& s) {
  std::set<std::string> ids;
  for (const StepState& step : s.steps) must(ids.insert(step.id).second, "step ids are unique");
  must(ids.contains(s.step), "the active step exists");
  if (is_active(s.phase))
    must(s.find(s.step)->status != StepStatus::done, "nobody works on a finished step");
}

void guard_parks_exactly(const State& before, const State& s, const Done& done) {
  for (std::size_t i = 0; i < done.events.size(); ++i) {
    const auto* changes = std::get_if<ChangesRequested>(&done.events[i].body);
    if (changes == nullptr) continue;
    const bool over = changes->count > s.policy.max_change_requests;
    must(over == (s.halt && s.halt->kind == HaltKind::guard), "the guard parks exactly then");
    must(over || s.phase == Phase::coder_active, "else the coder goes on");
  }
  for (const StepState& step : s.steps)
    if (const StepState* old = before.find(step.id); old != nullptr && done.events.size() == 1)
      must(step.change_requests <= old->change_requests + 1, "one at a time");
}

void codecs_agree(const State& s) {
  const std::string text = dump(codec::encode(s));
  State again;
  must(codec::decode(*parse_json(text), again).has_value(), "the state can be read");
  must(dump(codec::encode(again)) == text, "the state survives its codec");
}

void views_are_total(const Plan& p) {
  const State& s = p.state;
  must(!turn_text(s).empty() && !step_text(s).empty() && !guard_text(s).empty(), "status");
  must(!s.halt || !inbox_of(s).empty(), "who waits is in the inbox");
  if (const Run* run = s.current())
    must(!prompt_for(s, *run, {run->step, "t", "b", {}, 1}, {}).empty(), "a prompt");
}

bool accepted(const Plan& p, const Command& command, bool human) {
  Facts facts;
  facts.documents = std::vector<FileFact>{{"plan.md", true, hash_of(p.plan_text), p.plan_text}};
  facts.claim = ClaimFact{};  // nobody else has the checkout
  Principal who{PrincipalKind::human};
  if (!human) who = {PrincipalKind::agent, p.state.current()->agent};
  const auto decision = decide(p.state, {RequestId("x"), who, Seq::none}, command, facts);
  return std::holds_alternative<std::vector<Event>>(decision);
}

void there_is_a_way_on(const Plan& p) {
  const State& s = p.state;
  const Run* live = s.live();
  if (is_active(s.phase) && (live == nullptr || live->number == s.run))
    must(accepted(p, AskUser{s.run, "?"}, false), "an agent can ask");
  if (is_active(s.phase)) must(accepted(p, Pause{}, true), "the user can pause");
  if (s.halt) must(accepted(p, Force{Role::reviewer}, true), "the user can force");
  if (s.phase == Phase::error) must(accepted(p, Resume{}, true), "an error can be left");
}

struct Reached {
  int done = 0, guarded = 0, errors = 0, moved = 0, sent_back = 0;
};

void states_stay_valid(unsigned seed, Reached& reached) {
  RandomRun run(seed);
  for (int i = 0; i < 150; ++i) {
    const State before = run.p.state;
    const std::size_t lines = run.p.log.size();
    const Done step = run.step();
    const State& after = run.p.state;
    if (!step.ok()) {
      must(step.exit() == 1 || step.exit() == 2, "refused or wrong usage");
      must(!step.warned || run.p.log.size() > lines, "a warning is in the log");
    }
    phase_and_halt_agree(after);
    one_run_at_most(after);
    steps_are_sound(after);
    guard_parks_exactly(before, after, step);
    codecs_agree(after);
    views_are_total(run.p);
    there_is_a_way_on(run.p);
    for (const Event& event : step.events) {
      reached.sent_back += std::holds_alternative<SentBack>(event.body);
      const auto* edited = std::get_if<RegisterEdited>(&event.body);
      reached.moved += edited != nullptr && edited->moved();
    }
    reached.guarded += after.halt && after.halt->kind == HaltKind::guard;
    reached.errors += after.phase == Phase::error;
    if (after.phase == Phase::done) {
      ++reached.done;
      break;
    }
  }
}

TEST_CASE("no sequence of commands makes an invalid state") {
  CHECK(rc::check([] {
    Reached anything;
    states_stay_valid(any_seed(), anything);
  }));
}

TEST_CASE("random runs get somewhere") {
  Reached reached;
  for (const unsigned seed : known_seeds()) states_stay_valid(seed, reached);
  CHECK(reached.done > 0);
  CHECK(reached.guarded > 0);
  CHECK(reached.errors > 0);
  CHECK(reached.moved > 0);
  CHECK(reached.sent_back > 0);
}

TEST_CASE("a log cut at any batch folds to a legal state, the whole of it to the same") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    for (int i = 0; i < 60; ++i) run.step();
    run.p.read_anew([](const State& state) {
      phase_and_halt_agree(state);
      one_run_at_most(state);
      steps_are_sound(state);
    });
  }));
}

TEST_CASE("a repeated request changes nothing") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    for (int i = 0; i < 40; ++i) {
      run.step();
      const Request request = run.p.request({PrincipalKind::human});
      const Command command = run.chance(50) ? Command{Pause{}} : Command{Resume{}};
      const Done first = run.p.run(request, command);
      if (!first.ok() || first.events.empty()) continue;
      const std::string before = dump(codec::encode(run.p.state));
      const Done second = run.p.run(request, command);
      must(second.ok() && second.repeated, "it is recognised");
      must(envelopes(second.events) == envelopes(first.events), "the same answer");
      must(dump(codec::encode(run.p.state)) == before, "nothing is appended");
    }
  }));
}

TEST_CASE("the world settles after any run, with at most one process") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    for (int i = 0; i < 30; ++i) run.step();
    run.p.settle();
    const State& s = run.p.state;
    must(outstanding(s, run.p.observed()).empty(), "nothing is outstanding");
    if (is_active(s.phase)) must(s.live() != nullptr && s.live()->number == s.run, "it runs");
    must(!s.write || s.problems_of("plan.md") != nullptr, "plan.md says what the log does");
  }));
}

}  // namespace
}  // namespace pf::plan
