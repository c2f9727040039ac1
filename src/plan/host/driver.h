#pragma once
#include "plan/host/run_process.h"
#include "plan/host/watcher.h"

namespace pf {

// Whoever drives the plan holds it. Refuses when somebody drives it already.
Result<Lock> take_plan(PlanLoop& loop);

// Drives an opened plan until it is done, or until whoever watches wants to leave (the interrupt
// key too): then the run's process is ended, and the next one who drives goes on in its
// conversation. With `waits` it also stays while the user is waited for.
Status drive_plan(PlanLoop& loop, const Lock& lease, PlanWatcher& watcher, bool waits,
                  const RunStarter& starter = RunProcess::start);

}  // namespace pf
