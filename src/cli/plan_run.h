#pragma once
#include <functional>
#include <memory>

#include "engine/plan_watcher.h"
#include "verbs/verb.h"

namespace pf {

using MakeWatcher = std::function<std::unique_ptr<PlanWatcher>(Os& os, Showing showing)>;

// `plan run` and `plan resume`: they stay and drive the plan.
std::vector<Verb> plan_drivers(MakeWatcher make);

}  // namespace pf
