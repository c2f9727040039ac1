#pragma once
#include "sandbox/bubblewrap.h"

namespace pf {

// Path sockets can be called through a read-only mount, and what answers there may run commands
// outside of the sandbox: a server of tmux, an editor, a debugger.

// Those that are bound now, where their names lead to; not those whose name is relative, or that
// were renamed since. Refuses when there are too many to be read.
Result<std::vector<Path>> bound_sockets(Os& os);

// Covers those that the confinement would show: a directory tmux-<uid> is empty, any other socket
// is nothing that could be called. Left alone are those in `open`, which the confined may call, and
// in git directories. Refuses when there are too many. For paths that are real already.
Status cover_sockets(Os& os, const std::vector<Path>& open, Confinement& confinement);

}  // namespace pf
