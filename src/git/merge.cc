#include <fmt/format.h>

#include "base/text.h"
#include "git/merging.h"
#include "git/workspace.h"

namespace pf {
namespace {

Result<std::vector<std::string>> uncommitted(Os& os, const Path& git_dir, const Path& checkout) {
  const Git git(os, {.git_dir = git_dir, .work_tree = checkout});
  const auto entries =
      TRY(git.pieces("look at the checkout of the base branch",
                     {"status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"}));
  std::vector<std::string> paths;
  if (TRY(os.files.exists(git_dir / "MERGE_HEAD"))) paths.emplace_back("a merge is under way");
  for (const auto& entry : entries)
    if (entry.size() > 3) paths.push_back(entry.substr(3));
  return paths;
}

// The git directory in which the ref is being rebased: HEAD does not name it then.
Result<std::optional<Path>> rebased_in(Os& os, const Path& common, const std::string& ref) {
  std::vector<Path> all = {common};
  for (const Entry& entry : TRY(os.files.list(common / "worktrees")))
    all.push_back(common / "worktrees" / entry.name);
  for (const Path& git_dir : all)
    for (const char* name : {"rebase-merge/head-name", "rebase-apply/head-name"})
      if (const auto text = TRY(os.files.read_if_there(git_dir / name)); text && trim(*text) == ref)
        return git_dir;
  return std::nullopt;
}

}  // namespace

Result<Path> checkout_with(Os& os, const Repository& repository, const std::string& branch) {
  Path where = TRY(Git(os, {.git_dir = repository.common})
                       .line("look where a branch is checked out",
                             {"for-each-ref", "--format=%(worktreepath)", ref_of_branch(branch)}));
  // So git calls a worktree apart from its .git.
  return where == repository.common ? repository.top : where;
}

Result<Path> git_dir_of(Os& os, const Repository& repository, const Path& checkout) {
  if (checkout == repository.top) return repository.common;
  const auto text = os.files.read(checkout / ".git", kPointerBytes);
  const auto named = text ? pointer(*text, "gitdir: ", checkout) : std::nullopt;
  if (named) return *named;
  return fail(Exit::refused, fmt::format("the base's checkout {} is gone", checkout.string()),
              "git still knows it as a worktree", "git worktree prune, or git worktree repair");
}

Result<MergedTree> merge_trees(const Git& git, const std::string& ours, const std::string& theirs) {
  const auto merged = TRY(
      git.run({"merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs}));
  if (merged.code > 1) return std::unexpected(git_error("merge the two trees", merged));
  auto pieces = split_nul(merged.out);
  if (pieces.empty()) return std::unexpected(git_error("merge the two trees", merged));
  MergedTree result{pieces.front(), {pieces.begin() + 1, pieces.end()}};
  if (merged.code == 1 && result.conflicts.empty()) result.conflicts.emplace_back("(unnamed)");
  return result;
}

Result<bool> is_ancestor(const Git& git, const std::string& older, const std::string& newer) {
  const auto asked = TRY(git.run({"merge-base", "--is-ancestor", older, newer}));
  if (asked.code > 1) return std::unexpected(git_error("compare two commits", asked));
  return asked.ok();
}

Result<MergeFact> Workspace::look_at_merge(const CommitId& commit,
                                           const std::string& branch) const {
  TRY(check_object_id(commit.str()));
  const std::string ref = ref_of_branch(branch);
  const auto base = TRY(main().ref(ref));
  if (!base)
    return fail(Exit::refused, fmt::format("the branch '{}' is gone", branch), "",
                fmt::format("put it back: git branch {} <commit>; or merge {} where you want it",
                            branch, commit.str()));
  MergeFact fact;
  fact.base = CommitId(*base);
  fact.checkout = TRY(checkout_with(os_, spec_.repository, branch)).string();
  fact.contains = TRY(is_ancestor(main(), commit.str(), fact.base.str()));
  if (fact.contains) return fact;
  if (const auto where = TRY(rebased_in(os_, spec_.repository.common, ref)))
    fact.checkout = where->string(), fact.dirty = {"a rebase of it is under way"};
  else if (!fact.checkout.empty())
    fact.dirty =
        TRY(uncommitted(os_, TRY(git_dir_of(os_, spec_.repository, fact.checkout)), fact.checkout));
  const Git git(os_, TRY(objects()));
  fact.conflicts = TRY(merge_trees(git, fact.base.str(), commit.str())).conflicts;
  return fact;
}

Result<CommitId> Workspace::merge_in_checkout(const CommitId& commit, const MergeFact& fact) {
  const Git git(os_, {.git_dir = TRY(git_dir_of(os_, spec_.repository, fact.checkout)),
                      .work_tree = fact.checkout});
  const auto merged = TRY(git.run({"merge", "-q", "--no-edit", "--commit", "--no-squash", "-m",
                                   fmt::format("Merge branch '{}'", spec_.branch), commit.str()}));
  const CommitId head(TRY(git.line("look at the merge", {"rev-parse", "HEAD"})));
  if (merged.ok() && TRY(is_ancestor(git, commit.str(), head.str()))) return head;
  (void)git.run({"merge", "--abort"});
  constexpr std::size_t kReason = 1000;  // git names the files in the way
  return fail(Exit::refused, fmt::format("cannot merge in {}", fact.checkout),
              clip(printable(trim(merged.err)), kReason), "");
}

Result<CommitId> Workspace::merge_by_ref(const CommitId& commit, const std::string& branch,
                                         const MergeFact& fact) {
  CommitId made = commit;
  if (!TRY(is_ancestor(main(), fact.base.str(), commit.str()))) {
    const Git git(os_, TRY(objects()));
    const auto tree = TRY(merge_trees(git, fact.base.str(), commit.str())).tree;
    made = CommitId(TRY(
        main().line("make the merge",
                    {"commit-tree", "--no-gpg-sign", "-p", fact.base.str(), "-p", commit.str(),
                     "-m", fmt::format("Merge branch '{}' into {}", spec_.branch, branch), tree})));
  }
  const std::string ref = ref_of_branch(branch);
  auto moved = main().set_ref(ref, made.str(), fact.base.str());
  if (moved) return made;
  if (TRY(main().ref(ref)) == fact.base.str()) return std::unexpected(moved.error());
  return fail(Exit::refused, fmt::format("the branch '{}' was moved meanwhile", branch), "",
              "run the same command again");
}

Result<CommitId> Workspace::merge(const CommitId& commit, const std::string& branch,
                                  const MergeFact& fact) {
  return fact.checkout.empty() ? merge_by_ref(commit, branch, fact)
                               : merge_in_checkout(commit, fact);
}

}  // namespace pf
