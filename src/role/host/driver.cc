#include "role/host/driver.h"

#include "role/host/crew.h"

namespace pf {

Detached roles_driver(const RolePaths& paths) {
  return {"driver",
          {"drive", "--repo", paths.repository.top.string(), "--roles"},
          paths,
          std::string(kRoleLoop)};
}

bool wants_driver(const role::State& state) { return !state.automation.empty() || state.run; }

Status drive_roles(RoleLoop& loop) {
  const auto begin = [&](const Lock& lease) -> Result<std::unique_ptr<DrivenWork>> {
    return std::make_unique<RoleCrew>(loop, lease);
  };
  return drive(loop, begin);
}

}  // namespace pf
