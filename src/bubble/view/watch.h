#pragma once
#include "bubble/host/loop.h"

namespace pf {

// The process in pane 0: draws the status view on the terminal whenever it changes and starts the
// supervisor again when it died. Ends when the bubble is finished and closed, when it is asked to
// (INT, TERM, HUP), or with an error when the bubble's files are gone. Sleeps in between.
Status watch_status(BubbleLoop& loop);

}  // namespace pf
