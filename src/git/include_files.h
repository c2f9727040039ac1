#pragma once
#include <string>
#include <vector>

#include "git/repository.h"
#include "os/os.h"

namespace pf {

// Copies the main worktree's untracked and ignored files that match its `.worktreeinclude`
// (gitignore syntax) to `destination`, with their modes. Never: a path in `tracked`, a
// nested repository, anything below `.git` or `.pairflow`, or a way through a symlink. Symlinks are
// copied as they are.
Status copy_included(Os& os, const Repository& repository, std::vector<std::string> tracked,
                     const Path& destination);

}  // namespace pf
