#pragma once
#include <optional>
#include <string>

#include "base/ids.h"
#include "git/git_rules.h"
#include "git/repository.h"
#include "os/os.h"

namespace pf {

// A directory with the files of exactly one tree, which is nobody's to edit: where checks run, or
// what a reviewer looks at.
struct TreeCheckout {
  Repository repository;
  Path directory;
  Path index;                             // names files to be made meanwhile, and removed
  std::optional<FrozenRules> rules = {};  // nothing: git's as they are now
  CommitId base;                          // what the tree is a change of,
  std::string base_branch = {};           // and its branch; "": none
  std::string branch = {};                // of the change; "": none
};

enum class Begin {
  as_it_is,  // what is in the directory is made use of
  empty,
};

// Brings the directory to the tree. A file that is there as the tree has it, by its content, is
// left alone, so that what was built from it still counts; what else git does not ignore is gone
// afterwards, and ignored files stay. Submodules are filled from local objects, the files of
// `.worktreeinclude` are copied. Its `.git` is a repository of its own with the other one's objects
// and tags: HEAD is the tree as a commit on the base, and everything is committed. git runs
// confined where this machine can.
Status bring_to(Os& os, const TreeCheckout& checkout, const TreeId& tree, Begin begin);

// The same where the directory is as it was brought to `from`, and nobody else writes in it: only
// what differs between the two is looked at. The directory itself stays what it is.
Status bring_on(Os& os, const TreeCheckout& checkout, const TreeId& from, const TreeId& tree);

}  // namespace pf
