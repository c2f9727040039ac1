#pragma once
#include <string>

#include "dice.h"
#include "door_process.h"
#include "plan_world.h"

namespace pf::sim {

using PlanDeed = DoorDeed<plan::Domain>;

PlanDeed to_drive();
PlanDeed to_open(Dice& dice, int number);
// A tool call of a run's agent: mostly the fitting one of the run that has the turn, sometimes a
// late one of an old run, or of none.
PlanDeed tool_call(Dice& dice, const plan::State& state, const Worker& worker, int number);
PlanDeed odd_tool_call(Dice& dice, const plan::State& state, int number);
// What the user might want in this state, or might not.
PlanDeed wish(Dice& dice, const plan::State& state, int number);
// What brings the plan to its end, one step at a time: of the user, or of the agent at work.
PlanDeed way_on(const plan::State& state, int number);

// plan.md as a person writes it at first.
std::string first_plan(Dice& dice);
// The same after somebody edited it: another active step, a new step, other text, broken YAML;
// `sound` is a version that can be read, for mending.
std::string edited_plan(Dice& dice, const std::string& text, const std::string& sound);

}  // namespace pf::sim
