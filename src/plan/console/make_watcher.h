#pragma once
#include <memory>

#include "os/os.h"
#include "plan/host/watcher.h"

namespace pf::console {

// A console has the terminal until it is destroyed. A terminal that cannot be drawn on is told of
// on standard error and gets plain lines.
std::unique_ptr<PlanWatcher> make_watcher(Os& os, Showing showing);

}  // namespace pf::console
