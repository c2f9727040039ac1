#pragma once
#include "plan/verbs/caller.h"

namespace pf {

// The rows of the group "plan".
Verbs plan_verbs();
// The process that drives the plan --plan.
Status drive_plan_now(Caller& caller, const Args& args);

VerbFunction run_plan_init, run_plan_reply, run_plan_force, run_plan_reset_guard, run_plan_pause;
VerbFunction run_plan_reset, run_plan_release, run_plan, run_plan_resume;
VerbFunction run_plan_land, run_plan_diff, run_plan_decision;
VerbFunction run_plan_status, run_plan_list, run_plan_log, run_plan_validate, run_plan_notes;

// The agents' tools. Plan, run and role are known by the environment that the driver made.
VerbFunction run_request_review, run_request_changes, run_plan_approve, run_ask_user;
// Looks at the documents after a tool was used; what is wrong with them goes back to the agent.
VerbFunction run_plan_hook;

}  // namespace pf
