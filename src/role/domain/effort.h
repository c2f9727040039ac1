#pragma once
#include "base/time.h"
#include "role/domain/state.h"

// The guards of the role loop: change requests on a task, runs and time on a feature. Pure. Time is
// that of the agents' runs; neither the human's counts nor a run that a reboot cut off.
namespace pf::role {

Duration time_on_feature(const State& state, const Moment& now);
// When the feature's time is over, by the clock that `now` was read from; nothing without a limit
// or while no run is at work.
std::optional<std::int64_t> budget_deadline_ms(const State& state, const Moment& now);

// Which limit is reached, in words that show what was spent; "" while none is. `now` counts the run
// at work, too.
std::string spent_text(const State& state, const Moment& now = {});
// "7 runs, 12m 3s, change requests 2 of 3 on T01"
std::string effort_text(const State& state, const Moment& now = {});

}  // namespace pf::role
