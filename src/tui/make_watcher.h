#pragma once
#include <memory>

#include "engine/plan_watcher.h"
#include "os/os.h"

namespace pf::tui {

enum class Mode { best, plain, json };  // best: the console where there is a terminal, else plain

// A console has the terminal until it is destroyed. A terminal that cannot be drawn on is told of
// on standard error and gets plain lines.
std::unique_ptr<PlanWatcher> make_watcher(Os& os, Mode mode);

}  // namespace pf::tui
