#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/facts.h"
#include "os/os.h"

namespace pf {

// The user's repository: its main worktree and its git directory.
struct Repository {
  Path top;     // main worktree, absolute, links resolved
  Path common;  // its .git directory (shared by all worktrees)
  friend bool operator==(const Repository&, const Repository&) = default;
};

// In the git directory of a clone made by us: the main worktree it was made from, one line.
inline constexpr const char* kCloneSource = "pairflow-source";

// What a one-line file of git's (.git, commondir, gitdir) names behind `prefix`, relative to
// `base`; nothing when it has another form.
std::optional<Path> pointer(std::string_view text, std::string_view prefix, const Path& base);
inline constexpr std::size_t kPointerBytes = 64u << 10;  // of such a file

// The repository `from` is in: from its top, a subdirectory or any linked worktree (also a bubble's
// own, in worktree or clone mode). Refuses bare repositories, places that are in none and a path
// with control characters, with the fix. Starts no process unless the configuration sets core.bare
// or core.worktree.
Result<Repository> find_repository(Os& os, const Path& from);
// The branch checked out at this place, be it the main worktree or a linked one; nothing when HEAD
// is detached.
Result<std::optional<std::string>> checked_out_branch(Os& os, const Path& from);

struct BaseCheck {
  CommitId commit;                    // the base branch's commit, to be pinned
  TreeId tree;                        // its tree
  std::vector<std::string> warnings;  // e.g. a dirty checkout
};
// What `create` needs to know. Refuses: no commits yet, no such local base branch, an existing
// bubble branch or one whose name stands in its way. Touches nothing.
Result<BaseCheck> check_base(Os& os, const Repository& repository, const std::string& base_branch,
                             const std::string& bubble_branch);

// Adds `.pairflow/` to info/exclude once, keeping all other bytes. Never touches .gitignore.
Status exclude_control_directory(Os& os, const Repository& repository);

}  // namespace pf
