#pragma once
#include "role/host/loop.h"
#include "verbs/core/caller.h"

// What the commands about roles share.
namespace pf {

// Whether the caller is an agent that `role run` started.
bool is_of_roles(Caller& caller);
// The roles of the repository that is meant.
Result<RolePaths> roles_of(Caller& caller, const Args& args);
// Who asks: the agent that PAIRFLOW_AGENT or the channel names, else the human. Refuses an agent
// that another loop has launched.
Result<Principal> role_caller(Caller& caller, const RolePaths& paths);

// Makes an edited configuration count: before a command of the human's.
Status adopt_policy(RoleLoop& loop, const role::State& state);
// Runs the caller's command, then what follows from it, unless somebody drives the roles;
// says all that happened and what to do next.
Result<Said> ask_role(Caller& caller, const Args& args, RoleLoop& loop,
                      const role::Command& command);

JsonObject state_json(const role::State& state);

}  // namespace pf
