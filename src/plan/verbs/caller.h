#pragma once
#include "plan/host/loop.h"
#include "verbs/core/caller.h"

// What the commands about plans share.
namespace pf {

// What `plan init` writes, for people to fill in.
std::string plan_template(const plan::FeatureId& feature);
// Every feature of the repository that has a plan.md or was run, sorted.
Result<std::vector<plan::FeatureId>> all_features(Os& os, const Repository& repository);
// The plan that is named, that an agent belongs to, or the only one there is.
Result<PlanPaths> plan_of(Caller& caller, const Args& args);
// Whether the caller is an agent of a plan, not of a bubble.
bool is_of_plan(Caller& caller);

// Runs a command of the human's; says what happened and what to do next.
Result<Said> ask_plan(Caller& caller, const Args& args, const plan::Command& command);

Said said_of(const PlanEngine::Answer& answer);
JsonObject state_json(const plan::State& state);

}  // namespace pf
