#pragma once
#include "os/os.h"

namespace pf {

// What git, run by the user in a directory that an agent may write, obeys there: repositories
// inside it, and hooks that are not part of what is reviewed. Paths are absolute.
struct GitInReach {
  std::vector<Path> sealed;  // each nested .git, and the untracked ones of core.hooksPath
  std::vector<Path> pinned;  // the directories between, outermost first: without these a new one
                             // could take the place of one that is moved aside
};
// Looks at all directories of `writable`, which is `worktree` or below it; follows no link. Refuses
// when there are too many to be sealed.
Result<GitInReach> git_in_reach(Os& os, const Path& worktree, const Path& writable);

// The nested .git of a directory, sorted, also those that are links. Refuses when it has too many
// directories to be looked at.
Result<std::vector<Path>> nested_repositories(Os& os, const Path& directory);

}  // namespace pf
