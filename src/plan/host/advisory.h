#pragma once
#include "plan/host/loop.h"

namespace pf {

// What about the plan is advisory, as programs get it, and as a line of its status.
struct PlanAdvisory {
  std::vector<std::string> reasons;
  std::string line;
};
PlanAdvisory plan_advisory(PlanLoop& loop, const plan::State& state);

}  // namespace pf
