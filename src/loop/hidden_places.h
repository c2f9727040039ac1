#pragma once
#include "config/settings.h"
#include "sandbox/bubblewrap.h"

namespace pf {

// The user's home directory without symbolic links: HOME or, when that is unset, what /etc/passwd
// says. Refuses when there is none that could be hidden: missing, "/", or not a directory.
Result<Path> home_directory(Os& os);

// `path` is `place` or below it; by their names alone.
bool lies_in(const Path& path, const Path& place);

// Makes the confinement fit this machine: paths without symbolic links, the directories of tmux's
// sockets and the loops of other repositories empty wherever they are, and /proc as the user needs
// it. Refuses when an agent would be shown such a directory, or the whole of the home directory.
Status hide_places(Os& os, const Settings& settings, Confinement& confinement);

}  // namespace pf
