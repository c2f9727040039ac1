#include "git/user_repository.h"

#include "base/text.h"

namespace pf {
namespace {

class GitUserRepository : public UserRepository {
 public:
  GitUserRepository(Os& os, WorkspaceSpec spec, Path ours)
      : os_(os),
        repository_(spec.repository),
        scratch_(spec.index),
        ours_(std::move(ours)),
        git_(os_, {.git_dir = repository_.common}),
        workspace_(os_, std::move(spec)) {}

  Result<std::optional<std::string>> ref(const std::string& name) override {
    return git_.ref(name);
  }
  Status set_ref(const std::string& name, const std::string& object,
                 const std::optional<std::string>& expected) override {
    return git_.set_ref(name, object, expected);
  }
  Result<Path> checkout_with(const std::string& branch) override {
    return pf::checkout_with(os_, repository_, branch);
  }

  Result<TreeId> tree_of(const std::string& treeish) override {
    return TreeId(TRY(git_.line("look at a tree", {"rev-parse", treeish + "^{tree}"})));
  }
  Result<std::optional<std::string>> file_of(const std::string& treeish,
                                             const std::string& path) override {
    return here().file_of(treeish, path);
  }
  Result<TreeId> edited(const std::string& treeish, const std::vector<TreeEdit>& edits) override {
    return here().edited(treeish, edits);
  }
  Result<CommitId> make_commit(const NewCommit& commit, const CommitId& second) override {
    if (second.empty()) return workspace_.make_commit(commit);
    return CommitId(TRY(git_.line("make the merge",
                                  {"commit-tree", "--no-gpg-sign", "-p", commit.parent.str(), "-p",
                                   second.str(), "-m", commit.message, commit.tree.str()})));
  }
  Result<std::optional<CommitId>> merge_base(const CommitId& a, const CommitId& b) override {
    const Finished base = TRY(git_.run({"merge-base", a.str(), b.str()}));
    if (base.code > 1) return std::unexpected(git_error("compare two commits", base));
    if (!base.ok()) return std::nullopt;
    return CommitId(std::string(trim(base.out)));
  }
  Result<MergedTree> merge_trees(const CommitId& ours, const CommitId& theirs) override {
    return pf::merge_trees(git_, ours.str(), theirs.str());
  }
  Result<MergeFact> look_at_merge(const CommitId& commit, const std::string& branch) override {
    return workspace_.look_at_merge(commit, branch);
  }

  Result<RepositoryFact> look(const std::string& base, const std::string& pattern) override {
    RepositoryFact fact = TRY(here().look({base, pattern}));
    const BranchFact* tip = fact.find(base);
    if (tip == nullptr) return fact;
    const std::string merged = TRY(git_.output("look which branches are merged",
                                               {"for-each-ref", "--merged=" + tip->tip.str(),
                                                "--format=%(refname)", "refs/heads/" + pattern}));
    for (const std::string_view line : split(merged, '\n'))
      for (BranchFact& branch : fact.branches)
        if (line == "refs/heads/" + branch.name) branch.merged = true;
    return fact;
  }
  Result<std::vector<std::string>> dirty() override { return here().dirty(); }
  Result<std::string> branch() override { return here().branch(); }
  Result<CommitId> head() override {
    return CommitId(TRY(git_.line("look at HEAD", {"rev-parse", "HEAD"})));
  }
  Result<TreeId> snapshot(const std::vector<std::string>& forced) override {
    return here().snapshot(forced);
  }
  Result<std::vector<std::string>> carry(const std::string& known, const std::string& to,
                                         const std::vector<std::string>& forced) override {
    return here().carry(known, to, forced);
  }
  Result<std::vector<std::string>> ignored_here_alone(const std::string& to) override {
    return here().ignored_here_alone(to);
  }
  Status set_head(const std::string& branch) override { return here().set_head(branch); }
  Result<std::vector<std::string>> follow(const Path& where, const std::string& known,
                                          const std::string& to) override {
    return TRY(checkout(where)).follow(known, to);
  }
  Status set_index(const Path& where, const std::string& treeish) override {
    return TRY(checkout(where)).set_index(treeish);
  }

 private:
  Checkout here() const {
    return Checkout(os_, repository_, repository_.top, repository_.common, scratch_, ours_);
  }
  // `ours` is a file of the main worktree alone.
  Result<Checkout> checkout(const Path& where) const {
    if (where == repository_.top) return here();
    return Checkout(os_, repository_, where, TRY(git_dir_of(os_, repository_, where)), scratch_,
                    "");
  }

  Os& os_;
  Repository repository_;
  Path scratch_, ours_;
  Git git_;
  Workspace workspace_;
};

}  // namespace

Result<bool> UserRepository::is_ancestor(const CommitId& older, const CommitId& newer) {
  return TRY(merge_base(older, newer)) == older;
}

std::unique_ptr<UserRepository> user_repository(Os& os, WorkspaceSpec spec, Path ours) {
  return std::make_unique<GitUserRepository>(os, std::move(spec), std::move(ours));
}

}  // namespace pf
