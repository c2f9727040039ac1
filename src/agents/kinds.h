#pragma once
#include "agents/launch.h"

namespace pf {

// One per kind of agent, each in the file of its name. Gives argv, and what the environment needs
// beyond what every agent gets.
using Planner = Result<AgentLaunch> (*)(const AgentSettings& agent, const LaunchContext& context);

Result<AgentLaunch> plan_claude(const AgentSettings& agent, const LaunchContext& context);
Result<AgentLaunch> plan_codex(const AgentSettings& agent, const LaunchContext& context);
Result<AgentLaunch> plan_custom(const AgentSettings& agent, const LaunchContext& context);
Result<AgentLaunch> plan_scripted(const AgentSettings& agent, const LaunchContext& context);

// The configured command as it is; a usage error when there is none.
Result<AgentLaunch> configured_command(const AgentSettings& agent);

}  // namespace pf
