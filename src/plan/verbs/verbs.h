#pragma once
#include "plan/verbs/caller.h"

namespace pf {

// The rows of the group "plan".
Verbs plan_verbs();
// Of them: `plan run` and `plan resume`, which have one driven and stay.
Verbs plan_drivers();
// The process that drives the plan --plan.
Status drive_plan_now(Caller& caller, const Args& args);

Result<Said> run_plan_init(Caller& caller, const Args& args);
Result<Said> run_plan_reply(Caller& caller, const Args& args);
Result<Said> run_plan_force(Caller& caller, const Args& args);
Result<Said> run_plan_reset_guard(Caller& caller, const Args& args);
Result<Said> run_plan_pause(Caller& caller, const Args& args);
Result<Said> run_plan_reset(Caller& caller, const Args& args);

Result<Said> run_plan_status(Caller& caller, const Args& args);
Result<Said> run_plan_list(Caller& caller, const Args& args);
Result<Said> run_plan_log(Caller& caller, const Args& args);
Result<Said> run_plan_validate(Caller& caller, const Args& args);

// The agents' tools. Plan, run and role are known by the environment that the driver made.
Result<Said> run_request_review(Caller& caller, const Args& args);
Result<Said> run_request_changes(Caller& caller, const Args& args);
Result<Said> run_plan_approve(Caller& caller, const Args& args);
Result<Said> run_ask_user(Caller& caller, const Args& args);

// Looks at the documents after a tool was used; what is wrong with them goes back to the agent.
Result<Said> run_plan_hook(Caller& caller, const Args& args);

}  // namespace pf
