#pragma once
#include "plan/host/loop.h"

namespace pf {

// Refuses when an agent of the plan is not configured or its program is missing.
Status check_plan_agents(PlanLoop& loop, const plan::Policy& policy);

// Where the coder works: nothing to do for the user's own checkout. A worktree is made on the
// branch plan/<feature>, with the documents that are not committed yet; harmless twice.
Status prepare_plan_workspace(PlanLoop& loop, plan::Workspace workspace);

}  // namespace pf
