#pragma once
#include "plan/host/loop.h"

namespace pf {

// Opens a plan that was never run, with the policy of the configuration: what can be refused is,
// before anything is made. With `restores`, one whose log is damaged: that is put aside. Refuses
// when somebody drives it.
Status open_plan(PlanLoop& loop, const Request& request, bool restores = false);

// Where the coder works: nothing to do for the user's own checkout. A worktree is made on the
// branch plan/<feature>, with the documents that are not committed yet; harmless twice.
Status prepare_plan_workspace(PlanLoop& loop, plan::Workspace workspace);

}  // namespace pf
