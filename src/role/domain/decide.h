#pragma once
#include "base/request.h"
#include "role/domain/command.h"
#include "role/domain/state.h"

namespace pf::role {

// All policy of the role loop (docs/role.md). Pure. Names the facts it needs before it decides; a
// refusal says why and what to do instead. An edit of state.json that it finds on the way becomes
// an event before those of the command.
Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts);

// "start", "approve-task", …
std::string_view verb_of(const Command& command);

// What a refused command of an agent leaves in the journal: one for each agent, verb and reason in
// a turn.
std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection);

// Whether a batch that begins with this event is what such a command, asked for by the same party,
// leads to: a request id that comes again with another one is a mistake.
bool answers(const Event& first, const Request& request, const Command& command);

// The merge that Need::merge asks about for this command; nothing when it asks for none.
struct MergeAsked {
  CommitId commit;
  std::string into;
};
std::optional<MergeAsked> merge_asked(const State& state, const Command& command);

// The role loop as the door drives it (loop/engine.h).
struct Domain {
  using State = role::State;
  using Event = role::Event;
  using Command = role::Command;
  static constexpr auto decode = &role::decode;
  static bool has_begun(const State& state) { return state.begun; }
};

}  // namespace pf::role
