#pragma once
#include "plan_deed.h"

namespace pf::sim {

// A simulated process at a plan: a command that goes through its door, or who drives it.
class PlanProcess : public DoorProcess<plan::Domain> {
 public:
  PlanProcess(PlanWorld& world, Stacks& stacks, int pid, PlanDeed deed);
  ~PlanProcess() override;

  // A driver that has nothing to do.
  bool is_idle() const { return drives() && blocked() && call() != "lock"; }
  // The interrupt key.
  void interrupt() { env_.ask_to_end(); }

 private:
  Result<Ending> act() override;

  PlanWorld& world_;
  PlanLoop loop_;
};

}  // namespace pf::sim
