#pragma once
#include "plan/host/loop.h"

// What of plan.md is read as its steps, as people and programs are told it.
namespace pf {

// "  1  Parse the form" for each, with its criteria below it.
std::string steps_text(const std::vector<document::Step>& steps);
// Each way with the option that chooses it, and its steps.
std::string ways_text(const std::vector<document::StepsRead>& ways);
JsonArray ways_json(const std::vector<document::StepsRead>& ways);

// plan.md as it will be read when the plan is run for the first time: `word` is the user's about
// which lines are the steps. Refuses, with all that was found, when several may be meant.
Status check_steps(PlanLoop& loop, const std::string& word);
// Of a plan that is under way the word can only be the one that it is read by already.
Status check_steps(const plan::State& state, const std::string& word);

// "plan.md has 1 step that is not done: …", with the command that goes on; "" when it has none, or
// the plan is not through.
Result<std::string> added_steps_text(PlanLoop& loop, const plan::State& state);

}  // namespace pf
