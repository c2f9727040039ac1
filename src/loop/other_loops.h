#pragma once
#include "os/os.h"

namespace pf {

// A repository in which agents of this user's were launched before. A socket or a lock can be used
// through a read-only mount, so agents must not see those of other repositories.
struct OtherLoops {
  Path control;      // <repo>/.pairflow
  Path tmux_socket;  // of its panes; "" when that is one of the user's usual ones
};

// Those that are still there; forgets the others.
Result<std::vector<OtherLoops>> other_loops(Os& os);

// Notes one of them.
Status note_loops(Os& os, const OtherLoops& loops);

}  // namespace pf
