#include "plan/host/open.h"

#include <fmt/format.h>

#include "plan/host/workspace.h"

namespace pf {
namespace {

Result<Lock> take_plan(PlanLoop& loop) {
  const PlanPaths& paths = loop.paths();
  auto lease = TRY(Lock::try_take(loop.os(), paths.lease));
  if (lease) return std::move(*lease);
  return fail(Exit::refused, fmt::format("the plan '{}' is driven already", paths.feature.str()),
              fmt::format("by process {}", TRY(Lock::last_holder(loop.os(), paths.lease))),
              fmt::format("look at it: pairflow plan status {}", paths.feature.str()));
}

}  // namespace

Status open_plan(PlanLoop& loop, const Request& request, bool restores) {
  const plan::Policy policy = plan_policy(TRY(loop.settings()));
  TRY(check_plan_agents(loop, policy));
  TRY(exclude_control_directory(loop.os(), loop.paths().repository));
  const Lock lease = TRY(take_plan(loop));
  const std::string aside = restores ? TRY(loop.put_log_aside()).filename().string() : "";
  TRY(prepare_plan_workspace(loop, policy.workspace));
  TRY(loop.os().files.make_directories(loop.paths().directory));
  TRY(loop.execute(request, plan::Open{policy, aside}));
  return {};
}

}  // namespace pf
