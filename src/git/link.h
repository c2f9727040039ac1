#pragma once
#include <optional>
#include <string>

#include "base/ids.h"
#include "git/git_rules.h"
#include "git/repository.h"
#include "os/os.h"

namespace pf {

// Where one bubble's files are and what it is based on.
struct WorkspaceSpec {
  Repository repository;
  std::string bubble;  // id
  std::string branch;  // bubble/<id>
  CommitId base;
  WorkMode mode = WorkMode::worktree;
  Path worktree;                          // <repo_parent>/.pairflow-worktrees/<repo_name>/<id>
  Path index;                             // private index file, kept between snapshots
  std::optional<TreeId> tree = {};        // what a directory made anew holds; nothing: the branch's
  std::optional<FrozenRules> rules = {};  // nothing: git's as they are now
};

enum class Site {
  absent,    // no directory, or an empty one
  foreign,   // something else stands there
  unlinked,  // our files, but the .git file that ties them to the repository is missing
  ours,
};

// How the bubble's directory is tied to the repository, read by hand.
struct Link {
  Site site = Site::absent;
  Path git_dir = {};   // the worktree's own git directory; also of an absent one still registered
  bool ready = false;  // prepare came to its end
};
Result<Link> inspect(Os& os, const WorkspaceSpec& spec);

// Records in the worktree's git directory that prepare came to its end.
Status mark_ready(Os& os, const Path& git_dir);
// Ties the files of an unlinked worktree to its git directory again.
Status relink(Os& os, const WorkspaceSpec& spec, const Path& git_dir);

}  // namespace pf
