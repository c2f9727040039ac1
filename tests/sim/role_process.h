#pragma once
#include "door_process.h"
#include "role_world.h"

namespace pf::sim {

using RoleDeed = DoorDeed<role::Domain>;

// A simulated process at the roles: a command that goes through their door and performs what comes
// of it, or one that only performs.
class RoleProcess : public DoorProcess<role::Domain> {
 public:
  RoleProcess(RoleWorld& world, Stacks& stacks, int pid, RoleDeed deed);
  ~RoleProcess() override;

  bool performing() const { return performing_; }
  // Why what follows from a command that was recorded is not done yet.
  const std::optional<Error>& not_performed() const { return not_performed_; }

 private:
  Result<Ending> act() override;
  Result<bool> settle();

  RoleWorld& world_;
  RoleLoop loop_;
  bool performing_ = false;
  std::optional<Error> not_performed_;
};

}  // namespace pf::sim
