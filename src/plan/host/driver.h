#pragma once
#include "loop/detached.h"
#include "plan/host/launch.h"

namespace pf {

// The process that drives the plan.
Detached plan_driver(const PlanPaths& paths);
// Whether the plan has anything for a driver to do or to wait for: not once it is done, paused or
// in error. While the user is asked the driver stays, and the agents' environment with it.
bool wants_driver(const plan::State& state);
// Whether an agent is at work, or will be, without a word of the user's.
bool goes_on(const plan::State& state);

// Drives an opened plan for as long as it wants a driver. Asked to end, it ends the
// run's process; the next driver goes on in its conversation. Returns at once when another process
// drives the plan.
Status drive_plan(PlanLoop& loop, const RunStarter& starter = start_run);

}  // namespace pf
