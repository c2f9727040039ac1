#pragma once
#include <set>

#include "git/git.h"
#include "git/repository.h"

namespace pf {

struct MergedTree {
  std::string tree;
  std::vector<std::string> conflicts;  // paths, as people read them
};
// The merge of two commits as objects; touches neither refs nor files.
Result<MergedTree> merge_trees(const Git& git, const std::string& ours, const std::string& theirs);
Result<bool> is_ancestor(const Git& git, const std::string& older, const std::string& newer);

// Whether something that a tree does not know, an ignored file, stands where this one is to be
// written: git would write over it.
Result<bool> is_in_the_way(Files& files, const Path& top, const Path& path,
                           const std::set<std::string>& known);

// The worktree that has the branch checked out, of this or a linked one; "" for none.
Result<Path> checkout_with(Os& os, const Repository& repository, const std::string& branch);
// The git directory of a worktree of the repository.
Result<Path> git_dir_of(Os& os, const Repository& repository, const Path& checkout);

}  // namespace pf
