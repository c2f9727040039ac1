#pragma once
#include "plan/host/launch.h"
#include "plan_world.h"

namespace pf::sim {

// Starts workers in place of agents' programs. What it sees of the state it is called with has to
// be a run that was never started (or one whose conversation was not there), alone.
RunStarter worker_starter(PlanWorld& world);

// The run's process ends by itself; its driver hears of it.
void end_worker(PlanWorld& world, Worker& worker, int exit);
// It says that it used a tool.
void note_tool(PlanWorld& world, Worker& worker);

}  // namespace pf::sim
