#pragma once
#include "loop/detached.h"
#include "role/host/loop.h"

namespace pf {

// The process that drives the roles.
Detached roles_driver(const RolePaths& paths);
// Whether the agents are to go on, or one of them is still at work.
bool wants_driver(const role::State& state);

// Launches the agent of the current role, and the next one after each switch, until they rest.
// Asked to end, it ends the run's process, and the next driver goes on. Returns at once when
// another process drives the roles.
Status drive_roles(RoleLoop& loop);

}  // namespace pf
