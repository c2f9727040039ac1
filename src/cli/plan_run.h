#pragma once
#include <functional>
#include <memory>

#include "engine/plan_watcher.h"
#include "verbs/verb.h"

namespace pf {

// How a plan is shown while it is driven.
enum class Showing { console, plain, json };
using MakeWatcher = std::function<Result<std::unique_ptr<PlanWatcher>>(
    Os& os, const std::string& feature, Showing)>;

// `plan run` and `plan resume`: they stay and drive the plan.
std::vector<Verb> plan_drivers(MakeWatcher make);

}  // namespace pf
