#pragma once
#include "role/verbs/caller.h"

namespace pf {

// The rows of the group "role".
Verbs role_verbs();
// The process that drives the roles.
Status drive_roles_now(Caller& caller, const Args& args);

VerbFunction run_role_init, run_role_start, run_role_handoff, run_role_block;
VerbFunction run_role_approve_task, run_role_approve_feature, run_role_decline;
VerbFunction run_role_rework, run_role_autopilot, run_role_pause, run_role_release, run_roles;
VerbFunction run_role_status, run_role_log, run_role_validate;
// Writes what an agent is told when nobody launches it.
VerbFunction run_prompts;

// Looks at the documents after a tool was used; what is wrong with them goes back to the agent.
VerbFunction run_role_hook;
VerbFunction run_role_checks;  // the driver's own

}  // namespace pf
