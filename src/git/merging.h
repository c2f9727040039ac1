#pragma once
#include "git/git.h"
#include "git/repository.h"

namespace pf {

struct MergedTree {
  std::string tree;
  std::vector<std::string> conflicts;  // paths
};
// The merge of two commits as objects; touches neither refs nor files.
Result<MergedTree> merge_trees(const Git& git, const std::string& ours, const std::string& theirs);
Result<bool> is_ancestor(const Git& git, const std::string& older, const std::string& newer);

// The worktree that has the branch checked out, of this or a linked one; "" for none.
Result<Path> checkout_with(Os& os, const Repository& repository, const std::string& branch);
// The git directory of a worktree of the repository.
Result<Path> git_dir_of(Os& os, const Repository& repository, const Path& checkout);

}  // namespace pf
