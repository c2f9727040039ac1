#pragma once
#include "base/time.h"
#include "plan/domain/state.h"

// How long the agents have worked on the active step. Pure. The user's time does not count, nor
// does that in which nobody drives the plan, nor a run that a reboot cut off.
namespace pf::plan {

Duration time_on_step(const State& state, const Moment& now);

// When the step's time is over, by the clock that `now` was read from, as it will be once a run is
// at work; nothing without a budget or while it is no agent's turn.
std::optional<std::int64_t> budget_deadline_ms(const State& state, const Moment& now);

}  // namespace pf::plan
