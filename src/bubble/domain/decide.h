#pragma once
#include "base/request.h"
#include "bubble/domain/command.h"
#include "bubble/domain/state.h"

namespace pf::bubble {

// All policy of the bubble: BUBBLE's transition table (docs/protocol.md). Pure. Names the facts it
// needs before it decides; a refusal says why and what to do instead.
Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts);

// "pass", "ask-human", …: the command's name, for warnings.
std::string_view verb_of(const Command& command);

// What a refused command of an agent leaves in the journal: one for each agent, verb and reason in
// a turn.
std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection);

// Whether a batch that begins with this event is what such a command, asked for by the same party,
// leads to: a request id that comes again with another one is a mistake.
bool answers(const Event& first, const Request& request, const Command& command);

// The bubble as the door drives it (loop/engine.h).
struct Domain {
  using State = bubble::State;
  using Event = bubble::Event;
  using Command = bubble::Command;
  static constexpr auto decode = &bubble::decode;
  static bool has_begun(const State& state) { return state.phase != Phase::none; }
};

}  // namespace pf::bubble
