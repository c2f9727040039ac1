#pragma once
#include "engine/bubble_loop.h"

namespace pf {

// The process in pane 0: shows the bubble until it is final, and restarts its supervisor.
Status watch_status(BubbleLoop& loop);

}  // namespace pf
