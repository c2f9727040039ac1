#pragma once
#include <map>

#include "git/user_repository.h"

namespace pf {

// What a git directory holds. Objects and refs are durable as soon as they are made.
struct FakeGitDirectory {
  using Tree = std::map<std::string, std::string>;  // texts by path
  struct Commit {
    TreeId tree;
    std::vector<CommitId> parents;
    std::string message;
  };
  std::map<std::string, Tree> trees;      // by id
  std::map<std::string, Commit> commits;  // by id
  std::map<std::string, std::string> refs;
  std::string head = "refs/heads/main";
  TreeId index;

  TreeId add(const Tree& tree);
  CommitId add(const Commit& commit);
  // Of a tree's or commit's id or a full ref name; null when there is none.
  const Tree* find(const std::string& treeish) const;
  const Tree& head_tree() const { return *find(refs.at(head)); }
};

// A model of git for simulations: one worktree with plain files below `top`, which it reads and
// writes one after the other by `files`, so that it can be cut off anywhere in between. Ignores
// nothing but .git and .pairflow; a file that both sides of a merge changed conflicts.
class FakeUserRepository : public UserRepository {
 public:
  FakeUserRepository(Files& files, Path top, FakeGitDirectory& git, Path ours)
      : files_(files), top_(std::move(top)), git_(git), ours_(ours.string()) {}

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
  using Tree = FakeGitDirectory::Tree;
  // Every call of git begins here: it may be the caller's last, or fail.
  Status begin();
  Result<Tree> tree_at(const std::string& treeish);
  Result<Tree> read_files();
  Status read_below(const Path& directory, Tree& tree);
  Status write_files(const Tree& now, const Tree& wanted);

  Files& files_;
  Path top_;
  FakeGitDirectory& git_;
  std::string ours_;
};

}  // namespace pf
