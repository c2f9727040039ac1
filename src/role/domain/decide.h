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

// What a refused command of an agent leaves in the journal: one for each agent, verb and reason in
// a turn.
std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection);

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
