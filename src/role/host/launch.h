#pragma once
#include "loop/headless.h"
#include "role/domain/views.h"
#include "role/host/loop.h"

namespace pf {

// What of the documents agents are told; nothing of those that cannot be read.
role::Around around(RoleLoop& loop, const role::State& state);

// Starts the process of one role's run. Planner and coder may write the worktree, the reviewer
// reads it.
Result<StartedRun> start_role_run(RoleLoop& loop, const role::State& state,
                                  const role::LaunchAgent& wanted);

// Refuses when an agent of the roles is not configured or its program is missing.
Status check_role_agents(RoleLoop& loop, const role::Policy& policy);
// Refuses, with the paths, when files have a filter that this machine cannot confine.
Status check_role_filters(RoleLoop& loop);

}  // namespace pf
