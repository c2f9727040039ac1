#pragma once
#include "dice.h"
#include "role_process.h"

namespace pf::sim {

RoleDeed to_perform();
RoleDeed to_init(Dice& dice, int number);
// What the party whose turn it is might ask for, or somebody else out of turn.
RoleDeed turn_deed(Dice& dice, const role::State& state, int number);
// What the human might want.
RoleDeed human_deed(Dice& dice, const role::State& state, int number);
// What brings the feature at hand to its end, one command at a time, all by the human.
RoleDeed way_on(const role::State& state, const std::string& feature, int number);
// The human's word on a landing: let it go on, or not.
RoleDeed word_on(const role::Landing& landing, bool approve, int number);
// Sends the feature back to its coder.
RoleDeed rework_of(Dice& dice, const std::string& feature, int number);
RoleDeed to_planner(int number);

}  // namespace pf::sim
