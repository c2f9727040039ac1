#pragma once
#include "engine/plan_watcher.h"
#include "engine/run_process.h"

namespace pf {

// Drives an opened plan until it is done, or until whoever watches wants to leave (the interrupt
// key too): then the run's process is ended, and the next one who drives goes on in its
// conversation. With `waits` it also stays while the user is waited for. Refuses when somebody
// drives it already.
Status drive_plan(PlanLoop& loop, PlanWatcher& watcher, bool waits,
                  const RunStarter& starter = RunProcess::start);

}  // namespace pf
