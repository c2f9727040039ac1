#pragma once
#include <functional>

#include "loop/headless.h"
#include "plan/host/loop.h"

namespace pf {

// Starts the process of a wanted run. `afresh`: not in the conversation that it was to continue.
using RunStarter = std::function<Result<StartedRun>(PlanLoop& loop, const plan::State& state,
                                                    const plan::Run& run, bool afresh)>;
Result<StartedRun> start_run(PlanLoop& loop, const plan::State& state, const plan::Run& run,
                             bool afresh);

// Of a run whose driver was killed: the conversation that its transcript tells of.
std::string conversation_of_lost(PlanLoop& loop, const plan::Run& run);

}  // namespace pf
