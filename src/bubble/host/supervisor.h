#pragma once
#include "bubble/host/loop.h"

namespace pf {

// Supervises one bubble until it is finished: performs what is outstanding whenever somebody rings,
// a process ends, tmux tells of a change or a timer is due. Sleeps in between. Returns at once when
// another process holds the lease.
Status supervise(BubbleLoop& loop);

}  // namespace pf
