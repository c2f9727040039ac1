#pragma once
#include <variant>

#include "actor.h"
#include "plan_deed.h"

namespace pf::sim {

// A simulated process at a plan: a command that goes through its door, or who drives it.
class PlanProcess : public Actor {
 public:
  PlanProcess(PlanWorld& world, Stacks& stacks, int pid, PlanDeed deed);
  ~PlanProcess() override;

  const PlanDeed& deed() const { return deed_; }
  bool drives() const { return deed_.kind == PlanDeed::Kind::drive; }
  // A driver that has nothing to do.
  bool is_idle() const { return drives() && blocked() && call() != "lock"; }
  // The interrupt key.
  void interrupt() { env_.ask_to_end(); }

  // How it ended: killed when there is nothing.
  struct Done {};
  using Ending = std::variant<std::monostate, Error, PlanEngine::Answer, plan::State, Done>;
  const Ending& ending() const { return ending_; }

  bool recorded_before = false;  // its request was in the log when it started

 private:
  void perform() override;
  Result<Ending> act();
  Status repair();

  PlanWorld& world_;
  PlanDeed deed_;
  PlanLoop loop_;
  Ending ending_;
};

}  // namespace pf::sim
