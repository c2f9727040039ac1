#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/facts.h"
#include "git/git.h"
#include "git/repository.h"

namespace pf {

// A change of one path of a tree; one that ends in '/' is all below it, and can only be removed.
struct TreeEdit {
  std::string path;
  std::optional<std::string> text;  // nothing: removed
};

// A worktree of the user's own, most often the main one. What is not committed in it is never lost:
// files change only where they are known to be kept by an object. No hook runs; the index follows
// where a branch does.
class Checkout {
 public:
  // `scratch`: for indexes of our own. `ours`: a file that is never touched, whatever trees say; ""
  // for none.
  Checkout(Os& os, const Repository& repository, Path top, Path git_dir, Path scratch,
           const Path& ours);

  // What is checked out, what is not committed, what was begun.
  Result<RepositoryFact> look(const std::vector<std::string>& branch_patterns) const;
  // What is not committed, but for `ours` and .pairflow; files that git was told to overlook and
  // moved submodules are among it.
  Result<std::vector<std::string>> dirty() const;
  Result<std::string> branch() const;  // "" when none is checked out

  // The files as they are, as a tree. Those below `forced` count although they may be ignored.
  Result<TreeId> snapshot(const std::vector<std::string>& forced) const;
  // The tree with these changes, as an object.
  Result<TreeId> edited(const std::string& treeish, const std::vector<TreeEdit>& edits) const;
  // A file of a tree; nothing when it has none there.
  Result<std::optional<std::string>> file_of(const std::string& treeish,
                                             const std::string& path) const;
  // Every file of a tree below a directory.
  Result<std::vector<std::string>> files_of(const std::string& treeish,
                                            const std::string& directory) const;

  // The files become those of `to`. One that would change has to be as in `known`, or as in `to`
  // already; else the paths are returned and nothing is changed. Goes on where it was cut off.
  Result<std::vector<std::string>> carry(const std::string& known, const std::string& to,
                                         const std::vector<std::string>& forced) const;
  // What differs between the two trees is changed in the files; all else stays as it is, committed
  // or not. A path that is neither as in `known` nor as in `to` is returned, and nothing is
  // changed.
  Result<std::vector<std::string>> follow(const std::string& known, const std::string& to) const;
  // What is ignored by rules of .gitignore files here that the tree does not have.
  Result<std::vector<std::string>> ignored_here_alone(const std::string& to) const;
  // The index is as of that commit.
  Status set_index(const std::string& treeish) const;
  // HEAD names the branch; neither files nor index change.
  Status set_head(const std::string& branch) const;

 private:
  Result<std::vector<std::string>> dirty_by(const Git& git) const;
  Result<std::set<std::string>> paths_of(const std::string& treeish) const;
  Git own() const;      // with its files and its index
  Git objects() const;  // without
  Status must_alone(std::string_view doing, const Git::Words& words) const;
  Result<std::string> unfinished() const;

  Os& os_;
  Path common_, top_, git_dir_, scratch_;
  std::string ours_;
};

// The worktree that has the branch checked out, of this or a linked one; "" for none.
Result<Path> checkout_with(Os& os, const Repository& repository, const std::string& branch);

}  // namespace pf
