#pragma once
#include "plan/host/loop.h"

namespace pf {

struct PlanOpening {
  std::string steps = {};  // which lines the user says are the steps (plan::Open)
  bool restores = false;   // one whose log is damaged: that is put aside
  bool worktree = false;   // whatever the configuration says
  bool delegated = false;  // by the roles
};

// Opens a plan that was never run, with the policy of the configuration: what can be refused is,
// before anything is made. Refuses when somebody drives it.
Status open_plan(PlanLoop& loop, const Request& request, const PlanOpening& opening = {});

// Where the coder works: nothing to do for the user's own checkout. A worktree is made on the
// branch plan/<feature>, with the documents that are not committed yet; harmless twice.
Status prepare_plan_workspace(PlanLoop& loop, plan::Workspace workspace);

}  // namespace pf
