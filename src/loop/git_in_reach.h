#pragma once
#include <map>

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

// The same as far as it can come up where there was nothing to be sealed: bare repositories too,
// and hooks that git tracks, or whose directory was not there.
struct GitSeen {
  std::vector<Path> repositories;     // each nested .git, each bare one; sorted
  std::map<Path, std::string> hooks;  // of core.hooksPath, with what tells a change
};
// Refuses when there are too many directories to be looked at.
Result<GitSeen> see_git(Os& os, const Path& worktree, const Path& writable);

// What has come up between two looks, in words for the human.
std::vector<std::string> news_of_git(const GitSeen& before, const GitSeen& after);

}  // namespace pf
