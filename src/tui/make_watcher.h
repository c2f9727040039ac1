#pragma once
#include <memory>

#include "engine/plan_watcher.h"
#include "os/os.h"

namespace pf::tui {

// A console has the terminal until it is destroyed. A terminal that cannot be drawn on is told of
// on standard error and gets plain lines.
std::unique_ptr<PlanWatcher> make_watcher(Os& os, Showing showing);

}  // namespace pf::tui
