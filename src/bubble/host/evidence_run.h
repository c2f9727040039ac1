#pragma once
#include "bubble/host/loop.h"

namespace pf {

// One run of the bubble's checks on the tree under review, in this process, and its result through
// the door. Does nothing when the checks are not wanted any more. One at a time for each bubble,
// and as many at once on the machine as [checks] slots says.
Status run_evidence(BubbleLoop& loop);

}  // namespace pf
