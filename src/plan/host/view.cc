#include "plan/host/view.h"

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/domain/views.h"

namespace pf {
namespace {

std::vector<std::string> criteria_of(const std::vector<document::Step>& steps,
                                     const std::string& id) {
  const auto found = std::ranges::find(steps, id, &document::Step::id);
  std::vector<std::string> lines;
  if (found == steps.end()) return lines;
  for (const std::string& criterion : found->acceptance) lines.push_back(printable(criterion));
  return lines;
}

// As the log has them; before there is one, as the plan does.
std::vector<PlanView::Step> steps_of(const plan::State& state,
                                     const std::vector<document::Step>& steps) {
  std::vector<PlanView::Step> seen;
  for (const plan::StepState& step : state.steps)
    seen.push_back({printable(step.id), printable(step.title), step.status, step.change_requests,
                    step.id == state.step, criteria_of(steps, step.id)});
  if (state.phase != plan::Phase::none) return seen;
  for (const document::Step& step : steps)
    seen.push_back({printable(step.id), printable(step.title), plan::StepStatus::pending, 0, false,
                    criteria_of(steps, step.id)});
  return seen;
}

PlanView::Question question_of(const plan::State& state) {
  const plan::Halt& halt = *state.halt;
  const bool asked = halt.kind == plan::HaltKind::asked;
  return {halt.id.str(), halt.kind, asked ? std::string(name_of(halt.role)) : "pairflow",
          printable_lines(halt.text), plan::answer_command(state)};
}

}  // namespace

PlanView plan_view(const plan::State& state, const std::vector<document::Step>& steps) {
  PlanView view;
  view.feature = printable(state.feature.str());
  view.phase = state.phase;
  view.since = state.since;
  view.opened = state.turn;
  if (plan::is_active(state.phase))
    view.agent = printable(state.policy.agent_of(state.active_role()).str());
  view.turn = turn_text(state);
  view.step = step_text(state);
  view.guard = guard_text(state);
  view.parked = state.halt && state.halt->kind == plan::HaltKind::guard;
  view.steps = steps_of(state, steps);
  if (state.halt) view.question = question_of(state);
  for (const plan::FileProblems& file : state.problems)
    for (const plan::Problem& problem : file.problems)
      view.problems.push_back(printable(document::in_words(file.file, problem)));
  return view;
}

}  // namespace pf
