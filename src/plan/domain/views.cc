#include "plan/domain/views.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"

namespace pf::plan {
namespace {

std::vector<std::string> other_commands(const State& state) {
  const std::string& feature = state.feature.str();
  switch (state.halt->kind) {
    case HaltKind::guard:
      return {fmt::format("pairflow plan reset-guard {}", feature),
              fmt::format("pairflow plan force {} reviewer", feature)};
    case HaltKind::budget:
    case HaltKind::silent: return {fmt::format("pairflow plan resume {}", feature)};
    case HaltKind::failed: return {fmt::format("pairflow plan reset {}", feature)};
    case HaltKind::no_pending_steps: return {fmt::format("pairflow plan land {}", feature)};
    default: return {};
  }
}

}  // namespace

std::string answer_command(const State& state) {
  const std::string& feature = state.feature.str();
  switch (state.halt->kind) {
    case HaltKind::paused:
    case HaltKind::failed: return fmt::format("pairflow plan resume {}", feature);
    default: return fmt::format("pairflow plan reply {} --message \"…\"", feature);
  }
}

std::vector<InboxItem> inbox_of(const State& state) {
  std::vector<InboxItem> items;
  if (state.halt) {
    const Halt& halt = *state.halt;
    const bool asked = halt.kind == HaltKind::asked;
    items.push_back(
        {halt.id.str(), std::string(name_of(halt.kind)), halt.ts,
         asked ? std::string(name_of(halt.role)) : "orchestrator",
         (asked ? prefix(halt.role, "ask-user") + " " : "") + printable_lines(halt.text),
         answer_command(state), other_commands(state)});
  }
  for (const FileProblems& file : state.problems)
    for (const Problem& problem : file.problems)
      items.push_back({file.file, "document", state.since, "orchestrator",
                       printable(document::in_words(file.file, problem)),
                       fmt::format("pairflow plan validate {}", state.feature)});
  return items;
}

std::string turn_text(const State& state) {
  if (is_active(state.phase))
    return fmt::format("{} · {}", state.phase, state.policy.agent_of(state.active_role()));
  if (state.halt) return fmt::format("{} ({})", state.phase, state.halt->kind);
  return std::string(name_of(state.phase));
}

std::string step_text(const State& state) {
  const auto at = std::ranges::find(state.steps, state.step, &StepState::id);
  if (at == state.steps.end()) return "no step";
  return fmt::format("step {} of {}{} ({})", at - state.steps.begin() + 1, state.steps.size(),
                     at->title.empty() ? "" : ": " + clip(printable(at->title), 80), at->status);
}

std::string guard_text(const State& state) {
  const StepState* step = state.find(state.step);
  const bool parked = state.halt && state.halt->kind == HaltKind::guard;
  return fmt::format("change requests {} of {}{}", step == nullptr ? 0 : step->change_requests,
                     state.policy.max_change_requests, parked ? ", parked" : "");
}

std::vector<std::string> step_lines(const State& state) {
  std::vector<std::string> lines;
  for (const StepState& step : state.steps)
    lines.push_back(fmt::format("{} {} {} ({})", step.id == state.step ? ">" : " ",
                                printable(step.id), clip(printable(step.title), 80), step.status));
  return lines;
}

}  // namespace pf::plan
