#pragma once
#include "agents/kind.h"
#include "role/host/loop.h"

namespace pf {

// How the process of one role's run begins.
struct RoleLaunch {
  Command command;  // with the briefing on its standard input
  const AgentKind* kind = nullptr;
};

// Writes the briefing and the launch plan beside the run's transcript, and the copies of the user's
// files. Planner and coder may write the worktree, the reviewer reads it.
Result<RoleLaunch> prepare_role_run(RoleLoop& loop, const role::State& state,
                                    const role::LaunchAgent& wanted);

// Refuses when an agent of the roles is not configured or its program is missing.
Status check_role_agents(RoleLoop& loop, const role::Policy& policy);

}  // namespace pf
