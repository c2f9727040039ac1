#pragma once
#include <set>

#include "git/raw_changes.h"
#include "git/sparse.h"
#include "git/taking.h"
#include "git/user_repository.h"

namespace pf {

class GitUserRepository : public UserRepository {
 public:
  GitUserRepository(Os& os, WorkspaceSpec spec, const Path& ours);

  Result<std::optional<std::string>> ref(const std::string& name) override;
  Status set_ref(const std::string& name, const std::string& object,
                 const std::optional<std::string>& expected) override;
  Result<Path> checkout_with(const std::string& branch) override;
  Result<TreeId> tree_of(const std::string& treeish) override;
  Result<std::optional<std::string>> file_of(const std::string& treeish,
                                             const std::string& path) override;
  Result<TreeId> edited(const std::string& treeish, const std::vector<TreeEdit>& edits) override;
  Result<CommitId> make_commit(const NewCommit& commit, const CommitId& second) override;
  Result<std::optional<CommitId>> merge_base(const CommitId& a, const CommitId& b) override;
  Result<MergedTree> merge_trees(const CommitId& ours, const CommitId& theirs) override;
  Result<MergeFact> look_at_merge(const CommitId& commit, const std::string& branch) override;

  Result<RepositoryFact> look(const std::string& base, const std::string& pattern) override;
  Result<std::vector<std::string>> dirty() override;
  Result<std::string> branch() override;
  Result<CommitId> head() override;
  Result<TreeId> snapshot(const std::vector<std::string>& forced) override;
  Result<std::vector<std::string>> carry(const std::string& known, const std::string& to,
                                         const std::vector<std::string>& forced) override;
  Result<std::vector<std::string>> ignored_here_alone(const std::string& to) override;
  Status set_head(const std::string& branch) override;
  Result<std::vector<std::string>> follow(const Path& where, const std::string& known,
                                          const std::string& to) override;
  Status set_index(const Path& where, const std::string& treeish) override;

 private:
  using Paths = std::set<std::string>;
  // The files of a worktree as they are, in an index of their own.
  struct Shot {
    std::unique_ptr<PrivateIndex> index;
    std::unique_ptr<Taking> taking;
    std::string tree;
  };
  Git here() const;                            // the main worktree
  Result<Git> in(const Path& worktree) const;  // this or a linked one
  Result<Shot> look_into(const Git& worktree, const std::vector<std::string>& forced) const;
  Result<Shot> take(const Git& worktree, const std::vector<std::string>& forced) const;
  Result<std::string> unfinished() const;
  Result<UserCheckout> checkout_at(const Path& where) const;
  // Every file of a tree below a directory.
  Result<Paths> files_of(const std::string& treeish, const std::string& directory) const;
  Result<Paths> changed_paths(const std::string& a, const std::string& b) const;

  Os& os_;
  Repository repository_;
  Path scratch_;
  std::string ours_;  // a file of the main worktree alone
  Git git_;           // without files
  Workspace workspace_;
};

}  // namespace pf
