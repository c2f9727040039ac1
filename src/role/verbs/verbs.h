#pragma once
#include "role/verbs/caller.h"

namespace pf {

// The rows of the group "role".
Verbs role_verbs();
// Of them: `role run`, which has the roles driven and stays.
Verbs role_drivers();
// The process that drives the roles.
Status drive_roles_now(Caller& caller, const Args& args);
// Those that only our own processes start.
Verbs role_internals();

Result<Said> run_role_init(Caller& caller, const Args& args);
Result<Said> run_role_start(Caller& caller, const Args& args);
Result<Said> run_role_handoff(Caller& caller, const Args& args);
Result<Said> run_role_block(Caller& caller, const Args& args);
Result<Said> run_role_approve_task(Caller& caller, const Args& args);
Result<Said> run_role_approve_feature(Caller& caller, const Args& args);
Result<Said> run_role_decline(Caller& caller, const Args& args);
Result<Said> run_role_autopilot(Caller& caller, const Args& args);
Result<Said> run_role_pause(Caller& caller, const Args& args);

Result<Said> run_role_status(Caller& caller, const Args& args);
Result<Said> run_role_log(Caller& caller, const Args& args);
Result<Said> run_role_validate(Caller& caller, const Args& args);

// Looks at the documents after a tool was used; what is wrong with them goes back to the agent.
Result<Said> run_role_hook(Caller& caller, const Args& args);

// What an agent is told when nobody launches it.
Result<Said> run_prompts(Caller& caller, const Args& args);

}  // namespace pf
