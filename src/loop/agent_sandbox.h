#pragma once
#include "agents/enter.h"
#include "agents/launch.h"
#include "git/repository.h"
#include "sandbox/bubblewrap.h"

namespace pf {

// Where one agent works and what is kept for it.
struct AgentPlace {
  Repository repository;
  Path control;   // <repo>/.pairflow
  Path worktree;  // what it works on; may be the repository's own
  Path channel;   // its socket, outside
  Path copies;    // directory of its copies of the user's files
  // The part of the worktree that it may write, if it edits at all; all of it when "".
  Path editable = {};
};

// What an agent's process sees: the file system read-only, its worktree writable for whoever may
// edit, our papers but neither locks nor runtime, its own channel, and of the home directory only
// what it needs. Pure.
Confinement confinement_of_agent(const AgentPlace& place, const Settings& settings,
                                 const AgentLaunch& launch, const LaunchContext& context);

// Whether agents are confined here, by [sandbox] mode and by what this machine has.
Enforcement enforcement_for_agents(Os& os, const Settings& settings);

// What every launch at this place has in common; `enforcement` says whether it is confined.
LaunchContext launch_context(Os& os, const AgentPlace& place, const Settings& settings,
                             const AgentSettings& agent, bool edits,
                             const Enforcement& enforcement);

// How the process begins: in the sandbox, where there is one, with the copies made.
Result<LaunchPlan> plan_process(Os& os, const AgentPlace& place, const Settings& settings,
                                const AgentLaunch& launch, const LaunchContext& context,
                                const Enforcement& enforcement);

// Where the agent's channel is inside.
inline constexpr const char* kChannelInside = "/run/pairflow/socket";

// An id for a new conversation.
std::string new_uuid(Random& random);

}  // namespace pf
