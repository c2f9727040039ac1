#pragma once
#include "config/settings.h"
#include "sandbox/bubblewrap.h"

namespace pf {

// The directories between `top` and what is sealed in it, outermost first. They are to be pinned:
// else a new one could take the place of one that is moved aside.
std::vector<Path> directories_between(const Path& top, const std::vector<Path>& sealed);

// The user's home directory without symbolic links: HOME or, when that is unset, what /etc/passwd
// says. Refuses when there is none that could be hidden: missing, "/", or not a directory.
Result<Path> home_directory(Os& os);

// `path` is `place` or below it; by their names alone.
bool lies_in(const Path& path, const Path& place);

// "~/x" and "x" are below the home directory.
Path below_home(const std::string& named, const Path& home);

// The socket of the tmux server of the bubbles, PAIRFLOW_TMUX_SOCKET or else [tmux] socket: a path,
// or a name in the user's own directory.
std::string tmux_socket(Os& os, const Settings& settings);

// Refuses agents that work with `place` when the home directory lies in it.
Status refuse_home_inside(const Path& home, const Path& place);

// Makes the confinement fit this machine: paths without symbolic links, the directories of tmux's
// sockets and the loops of other repositories empty wherever they are, other sockets covered but
// those in `open` and in what [sandbox] allow names, and /proc as the user needs it. Refuses when
// an agent would be shown the socket of its own tmux, or the whole of the home directory.
Status hide_places(Os& os, const Settings& settings, std::vector<Path> open,
                   Confinement& confinement);

}  // namespace pf
