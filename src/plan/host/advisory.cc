#include "plan/host/advisory.h"

#include "loop/advisory.h"

namespace pf {

PlanAdvisory plan_advisory(PlanLoop& loop, const plan::State& state) {
  const auto settings = loop.settings();
  if (!settings) return {};  // who goes on with the plan is told
  PlanAdvisory advisory;
  advisory.reasons =
      advisories(loop.os(), *settings, state.policy.workspace == plan::Workspace::repo,
                 "[plan] workspace = \"worktree\" keeps it apart");
  advisory.line = advisory_line(advisory.reasons, "  ");
  return advisory;
}

}  // namespace pf
