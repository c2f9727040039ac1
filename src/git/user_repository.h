#pragma once
#include <memory>

#include "git/merging.h"
#include "git/workspace.h"

namespace pf {

// A change of one path of a tree; one that ends in '/' is all below it, and can only be removed.
struct TreeEdit {
  std::string path;
  std::optional<std::string> text;  // nothing: removed
};

// The repository that a user works in, as a loop needs it that works there too: refs, objects and
// the checked-out files. What is not committed is never lost: files change only where they are
// known to be kept by an object. No hook runs; the index follows where a branch does. A treeish is
// the id of a tree or a commit, or a full ref name. What the functions promise is shown by one
// contract test for git and for the model (git/fake).
class UserRepository {
 public:
  virtual ~UserRepository() = default;

  // What a full ref name points to; nothing when there is no such ref.
  virtual Result<std::optional<std::string>> ref(const std::string& name) = 0;
  // Points a ref at the object by compare-and-swap; `expected` is its value now ("" for "does not
  // exist", nothing for any).
  virtual Status set_ref(const std::string& name, const std::string& object,
                         const std::optional<std::string>& expected) = 0;
  // The worktree that has the branch checked out, of this or a linked one; "" for none.
  virtual Result<Path> checkout_with(const std::string& branch) = 0;

  virtual Result<TreeId> tree_of(const std::string& treeish) = 0;
  // A file of a tree; nothing when it has none there.
  virtual Result<std::optional<std::string>> file_of(const std::string& treeish,
                                                     const std::string& path) = 0;
  // The tree with these changes, as an object.
  virtual Result<TreeId> edited(const std::string& treeish, const std::vector<TreeEdit>& edits) = 0;
  // A commit object; moves no ref. With `second` it is a merge.
  virtual Result<CommitId> make_commit(const NewCommit& commit, const CommitId& second) = 0;
  // Where two commits come from; nothing when they have nothing in common.
  virtual Result<std::optional<CommitId>> merge_base(const CommitId& a, const CommitId& b) = 0;
  // The merge of two commits as objects; touches neither refs nor files.
  virtual Result<MergedTree> merge_trees(const CommitId& ours, const CommitId& theirs) = 0;
  // What a merge of the commit into the branch would meet; refused when there is no such branch.
  virtual Result<MergeFact> look_at_merge(const CommitId& commit, const std::string& branch) = 0;

  // What is checked out, what is not committed, what was begun; which of the branches `base` has.
  virtual Result<RepositoryFact> look(const std::string& base, const std::string& pattern) = 0;
  // What is not committed, but for `ours` and .pairflow; files that git was told to overlook and
  // moved submodules are among it.
  virtual Result<std::vector<std::string>> dirty() = 0;
  virtual Result<std::string> branch() = 0;  // "" when none is checked out
  virtual Result<CommitId> head() = 0;       // the commit that is checked out
  // The files as they are, as a tree. Those below `forced` count although they may be ignored.
  virtual Result<TreeId> snapshot(const std::vector<std::string>& forced) = 0;
  // The files become those of `to`. One that would change has to be as in `known`, or as in `to`
  // already; else the paths are returned and nothing is changed. Goes on where it was cut off.
  virtual Result<std::vector<std::string>> carry(const std::string& known, const std::string& to,
                                                 const std::vector<std::string>& forced) = 0;
  // What is ignored by rules of .gitignore files here that the tree does not have.
  virtual Result<std::vector<std::string>> ignored_here_alone(const std::string& to) = 0;
  // HEAD names the branch; neither files nor index change.
  virtual Status set_head(const std::string& branch) = 0;

  // In a worktree that checkout_with has named. What differs between the two trees is changed in
  // the files; all else stays as it is, committed or not. A path that is neither as in `known` nor
  // as in `to` is returned, and nothing is changed.
  virtual Result<std::vector<std::string>> follow(const Path& where, const std::string& known,
                                                  const std::string& to) = 0;
  // The index is as of that commit.
  virtual Status set_index(const Path& where, const std::string& treeish) = 0;

  // All of `older` is in `newer`.
  Result<bool> is_ancestor(const CommitId& older, const CommitId& newer);
};

// The same by git. `spec` says where scratch files and checkouts of ours belong; `ours` is a file
// that is never touched, whatever trees say.
std::unique_ptr<UserRepository> user_repository(Os& os, WorkspaceSpec spec, const Path& ours);

}  // namespace pf
