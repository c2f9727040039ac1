#pragma once
#include "os/os.h"

namespace pf {

// The control directories (<repo>/.pairflow) in which this user's agents were launched before, as
// far as they are still there. A socket or a lock can be used through a read-only mount, so agents
// must not see those of other repositories.
Result<std::vector<Path>> control_directories(Os& os);

// Notes one of them.
Status note_control_directory(Os& os, const Path& control);

}  // namespace pf
