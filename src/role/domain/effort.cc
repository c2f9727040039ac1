#include "role/domain/effort.h"

#include <algorithm>

#include "role/domain/counted.h"

namespace pf::role {
namespace {

std::int64_t this_run_ms(const State& state, const Moment& now) {
  if (state.working_since.boot.empty() || state.working_since.boot != now.boot) return 0;
  return std::max<std::int64_t>(0, now.mono_ms - state.working_since.mono_ms);
}

std::int64_t budget_ms(const State& state) {
  return std::int64_t{state.policy.time_budget_minutes} * 60'000;
}

std::string spent_so_far(const State& state, const Moment& now) {
  return fmt::format("{}, {}", counted(state.effort.runs, "run"),
                     human_duration(time_on_feature(state, now)));
}

std::string name_of_work(const State& state) {
  if (!state.work) return "the next feature";
  return state.work->task.empty() ? state.work->feature
                                  : fmt::format("{} of {}", state.work->task, state.work->feature);
}

}  // namespace

Duration time_on_feature(const State& state, const Moment& now) {
  return std::chrono::milliseconds(state.effort.spent_ms + this_run_ms(state, now));
}

std::optional<std::int64_t> budget_deadline_ms(const State& state, const Moment& now) {
  if (state.policy.time_budget_minutes <= 0 || !state.run) return std::nullopt;
  return now.mono_ms + budget_ms(state) - state.effort.spent_ms - this_run_ms(state, now);
}

std::string spent_text(const State& state, const Moment& now) {
  const Policy& policy = state.policy;
  const std::string feature = state.work ? state.work->feature : "the next feature";
  if (state.effort.change_requests > policy.max_change_requests)
    return fmt::format("{} was handed back {} ({} allowed); {} on {}", name_of_work(state),
                       counted(state.effort.change_requests, "time"), policy.max_change_requests,
                       spent_so_far(state, now), feature);
  if (state.effort.runs >= policy.max_runs && !state.run)
    return fmt::format("the limit of {} is reached; {} on {}", counted(policy.max_runs, "run"),
                       spent_so_far(state, now), feature);
  const auto time = time_on_feature(state, now);
  if (policy.time_budget_minutes > 0 && time >= std::chrono::milliseconds(budget_ms(state)))
    return fmt::format("the limit of {} is reached; {} on {}",
                       counted(policy.time_budget_minutes, "minute"), spent_so_far(state, now),
                       feature);
  return {};
}

std::string effort_text(const State& state, const Moment& now) {
  std::string text = spent_so_far(state, now);
  if (state.work)
    text += fmt::format(", change requests {} of {}", state.effort.change_requests,
                        state.policy.max_change_requests);
  return text;
}

}  // namespace pf::role
