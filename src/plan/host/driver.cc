#include "plan/host/driver.h"

#include "plan/host/open.h"
#include "plan/host/performer.h"

namespace pf {

Detached plan_driver(const PlanPaths& paths) {
  return {"driver",
          {"drive", "--repo", paths.repository.top.string(), "--plan", paths.feature.str()},
          paths,
          "plan." + paths.feature.str()};
}

bool goes_on(const plan::State& state) {
  const plan::Run* run = state.current();
  const bool explains = run != nullptr && run->role == plan::Role::explainer && !run->ending;
  return plan::is_active(state.phase) || explains;
}

bool wants_driver(const plan::State& state) {
  const plan::Run* run = state.current();
  const bool at_work = state.live() != nullptr || (run != nullptr && !run->ending);
  const bool paused = state.halt && state.halt->kind == plan::HaltKind::paused;
  const bool over = state.phase == plan::Phase::done || state.phase == plan::Phase::error;
  return at_work || !(paused || over);
}

Status drive_plan(PlanLoop& loop, const RunStarter& starter) {
  const auto begin = [&](const Lock& lease) -> Result<std::unique_ptr<DrivenWork>> {
    const plan::Workspace workspace = TRY(loop.load()).policy.workspace;
    TRY(prepare_plan_workspace(loop, workspace));
    TRY(loop.tidy_documents(loop.paths().top(workspace)));
    return std::make_unique<PlanPerformer>(loop, lease, starter);
  };
  return drive(loop, begin);
}

}  // namespace pf
