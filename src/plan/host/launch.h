#pragma once
#include "agents/kind.h"
#include "plan/host/loop.h"

namespace pf {

// How the process of one run begins.
struct RunLaunch {
  Command command;  // with the prompt on its standard input
  const AgentKind* kind = nullptr;
  std::string conversation;  // as far as it is known beforehand
  std::string program, enforcement;
  bool continues = false;  // in an older conversation
};

// Writes the prompt and the launch plan beside the run's transcript, and the copies of the user's
// files.
Result<RunLaunch> prepare_run(PlanLoop& loop, const plan::State& state, const plan::Run& run,
                              bool afresh);

}  // namespace pf
