#pragma once
#include "agents/launch.h"
#include "engine/bubble_loop.h"
#include "sandbox/bubblewrap.h"

namespace pf {

// What an agent's process sees: the file system read-only, its worktree writable for whoever may
// edit, the bubble's papers but neither locks nor runtime, its own channel, and of the home
// directory only what it needs. Pure.
Confinement confinement_of_agent(const BubblePaths& paths, const bubble::State& state,
                                 const Settings& settings, const AgentLaunch& launch,
                                 const LaunchContext& context, bubble::Role role,
                                 const AgentName& agent, const Path& home);

// Whether agents are confined here, by [sandbox] mode and by what this machine has.
Enforcement enforcement_for_agents(Os& os, const Settings& settings);

// Where the agent's channel is inside.
inline constexpr const char* kChannelInside = "/run/pairflow/socket";

}  // namespace pf
