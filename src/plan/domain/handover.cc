#include <algorithm>

#include "plan/domain/deciders.h"

// Who goes on, on which step. Used by the deciders only.
namespace pf::plan {

Standing standing(const State& state) {
  Standing now{state.phase, state.step, state.run};
  if (state.halt) now.halt = Halting{state.halt->kind, state.halt->role, state.halt->text};
  return now;
}

Standing halted(const State& state, HaltKind kind, Role role, std::string text) {
  Standing then{Phase::awaiting_user_input, state.step};
  if (kind == HaltKind::failed) then.phase = Phase::error;
  then.halt = Halting{kind, role, std::move(text)};
  return then;
}

Event parked_event(const Asking& asking, HaltKind kind, Role role, std::string text) {
  Event event = own_event(asking, "human", Parked{kind, asking.state.step, text});
  event.then = halted(asking.state, kind, role, std::move(text));
  return event;
}

RunWanted new_run(const State& state, Role role, const std::string& step, Why why,
                  std::string conversation) {
  return {state.last_run + 1,     role, state.policy.agent_of(role), step, why,
          std::move(conversation)};
}

std::string conversation_of(const State& state, Role role, const std::string& step) {
  for (auto run = state.runs.rbegin(); run != state.runs.rend(); ++run)
    if (run->role == role && run->step == step) return run->conversation;
  return {};
}

void hand_to(Event& event, RunWanted run) {
  event.then = Standing{phase_of(run.role), run.step, run.run};
  event.start = std::move(run);
}

std::vector<StepState> steps_after(const State& state, const Event& event) {
  std::vector<StepState> steps = state.steps;
  for (const StepState& step : event.steps)
    if (StepState* known = find_in(steps, step.id, &StepState::id)) *known = step;
  return steps;
}

StepState changed(const State& state, const std::string& step, StepStatus status, int count) {
  const StepState* known = state.find(step);
  return {step, known == nullptr ? "" : known->title, status, count};
}

void write_down(const Asking& asking, Event& event, bool names) {
  const std::string& active = event.then ? event.then->step : asking.state.step;
  event.write =
      write_for(asking.state, asking.reading, steps_after(asking.state, event), active, names);
}

void begin_step(const State& state, Event& event, const std::string& step, Why why) {
  event.steps.push_back(changed(state, step, StepStatus::pending, 0));
  hand_to(event, new_run(state, Role::coder, step, why));
}

const StepState* pending_step(const State& state) {
  const StepState* active = state.find(state.step);
  if (active != nullptr && active->status != StepStatus::done) return active;
  return advance_to_next(state.steps, state.step);
}

const StepState* advance_to_next(const std::vector<StepState>& steps, const std::string& from) {
  const auto is_pending = [](const StepState& step) { return step.status != StepStatus::done; };
  const auto at = std::ranges::find(steps, from, &StepState::id);
  const auto behind = at == steps.end() ? at : at + 1;
  auto next = std::find_if(behind, steps.end(), is_pending);
  if (next == steps.end()) next = std::ranges::find_if(steps, is_pending);
  return next == steps.end() ? nullptr : &*next;
}

}  // namespace pf::plan
