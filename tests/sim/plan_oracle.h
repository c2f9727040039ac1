#pragma once
#include "door_oracle.h"
#include "plan_process.h"
#include "plan_register.h"

namespace pf::sim {

// Judges a simulated plan: its door, one run at a time, no finished run again, plan.md as the log
// says. Throws Broken.
class PlanOracle {
 public:
  PlanOracle(PlanWorld& world, Tally& tally);

  void started(PlanProcess& process) { door.started(process); }
  void stepped();
  void ended(PlanProcess& process);
  void power_cut();
  void person_wrote(const std::string& text) { register_.person_wrote(text); }
  // Nothing is left to be done, and the agent on turn is at work.
  void check_rest();

  const plan::State& state() const { return door.state(); }
  const std::string& plan_text() const { return register_.text(); }

  DoorOracle<plan::Domain> door;

 private:
  void judge_batch(const Record<plan::Domain>::Batch& batch);
  void judge_event(const plan::State& before, const plan::Event& event);

  PlanWorld& world_;
  Tally& tally_;
  PlanRegister register_;
};

// Broken when a log could never come to this.
void check_state(const plan::State& state);

}  // namespace pf::sim
