#pragma once
#include "base/request.h"
#include "plan/domain/command.h"
#include "plan/domain/state.h"

namespace pf::plan {

// All policy of the plan loop (docs/plan.md). Pure. Names the facts it needs before it decides; a
// refusal says why and what to do instead. An edit of plan.md that it finds on the way becomes an
// event before those of the command.
Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts);

// The run that a tool call says it comes from; 0 for all others.
int run_of(const Command& command);

// What a refused tool call leaves in the log: one for each run, verb and reason in a turn.
std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection);

// The first step behind `from` in document order that is not done, then those before it; nothing
// when all are done.
const StepState* advance_to_next(const std::vector<StepState>& steps, const std::string& from);

// The plan loop as the door drives it (loop/engine.h).
struct Domain {
  using State = plan::State;
  using Event = plan::Event;
  using Command = plan::Command;
  static constexpr auto decode = &plan::decode;
  static bool has_begun(const State& state) { return state.phase != Phase::none; }
};

}  // namespace pf::plan
