#include "plan/domain/budget.h"

#include <algorithm>

namespace pf::plan {
namespace {

std::int64_t this_turn_ms(const State& state, const Moment& now) {
  if (state.working_since.boot.empty() || state.working_since.boot != now.boot) return 0;
  return std::max<std::int64_t>(0, now.mono_ms - state.working_since.mono_ms);
}

}  // namespace

Duration time_on_step(const State& state, const Moment& now) {
  return std::chrono::milliseconds(state.spent_ms + this_turn_ms(state, now));
}

std::optional<std::int64_t> budget_deadline_ms(const State& state, const Moment& now) {
  if (state.policy.step_time_budget_minutes <= 0 || !is_active(state.phase)) return std::nullopt;
  const std::int64_t budget = std::int64_t{state.policy.step_time_budget_minutes} * 60'000;
  return now.mono_ms + budget - state.spent_ms - this_turn_ms(state, now);
}

}  // namespace pf::plan
