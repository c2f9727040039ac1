#pragma once
#include "base/request.h"
#include "bubble/domain/command.h"
#include "bubble/domain/state.h"

namespace pf::bubble {

// All policy of the bubble: BUBBLE's transition table (docs/protocol.md). Pure. Names the facts it
// needs before it decides; a refusal says why and what to do instead.
Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts);

// What a refused command of an agent leaves in the journal: one for each agent, verb and reason in
// a turn.
std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection);

// The bubble as the door drives it (loop/engine.h).
struct Domain {
  using State = bubble::State;
  using Event = bubble::Event;
  using Command = bubble::Command;
  static constexpr auto decode = &bubble::decode;
  static bool has_begun(const State& state) { return state.phase != Phase::none; }
};

}  // namespace pf::bubble
