#include <fmt/format.h>

#include "base/text.h"
#include "workspace/workspace.h"

namespace pf {
namespace {

std::string ref_of(const std::string& branch) { return "refs/heads/" + branch; }

// The worktree's own git directory.
Result<Path> git_dir_of(Os& os, const Repository& repository, const Path& checkout) {
  if (checkout == repository.top) return repository.common;
  constexpr std::string_view kPointer = "gitdir: ";
  const std::string text = TRY(os.files.read(checkout / ".git", 4096));
  if (!text.starts_with(kPointer))
    return fail(Exit::machine, fmt::format("cannot read {}/.git", checkout.string()),
                "it does not name a git directory", "git worktree repair");
  const Path named(trim(std::string_view(text).substr(kPointer.size())));
  return named.is_absolute() ? named : checkout / named;
}

Result<std::vector<std::string>> uncommitted(Os& os, const Path& git_dir, const Path& checkout) {
  const Git git(os, {.git_dir = git_dir, .work_tree = checkout});
  const auto listed =
      TRY(git.output("look at the checkout of the base branch",
                     {"status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"}));
  std::vector<std::string> paths;
  if (TRY(os.files.exists(git_dir / "MERGE_HEAD"))) paths.emplace_back("a merge is under way");
  for (const auto& entry : split_nul(listed))
    if (entry.size() > 3) paths.push_back(entry.substr(3));
  return paths;
}

struct MergedTree {
  std::string tree;
  std::vector<std::string> conflicts;
};
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

}  // namespace

Result<MergeFact> Workspace::look_at_merge(const CommitId& commit,
                                           const std::string& branch) const {
  TRY(check_object_id(commit.str()));
  const auto text =
      TRY(main().line("look at the base branch",
                      {"for-each-ref", "--format=%(objectname) %(worktreepath)", ref_of(branch)}));
  const auto space = text.find(' ');
  if (space == std::string::npos)
    return fail(
        Exit::refused, fmt::format("the branch '{}' is gone", branch), "",
        fmt::format("git branch {} <commit>, or merge {} where you want it", branch, spec_.branch));
  MergeFact fact;
  fact.base = CommitId(text.substr(0, space));
  fact.checkout = text.substr(space + 1);
  fact.contains = TRY(is_ancestor(main(), commit.str(), fact.base.str()));
  if (fact.contains) return fact;
  if (!fact.checkout.empty())
    fact.dirty =
        TRY(uncommitted(os_, TRY(git_dir_of(os_, spec_.repository, fact.checkout)), fact.checkout));
  const Git git(os_, TRY(objects()));
  fact.conflicts = TRY(merge_trees(git, fact.base.str(), commit.str())).conflicts;
  return fact;
}

Result<CommitId> Workspace::merge_in_checkout(const CommitId& commit, const MergeFact& fact) {
  const Git git(os_, {.git_dir = TRY(git_dir_of(os_, spec_.repository, fact.checkout)),
                      .work_tree = fact.checkout});
  const auto merged = TRY(git.run({"merge", "-q", "--no-edit", "-m",
                                   fmt::format("Merge branch '{}'", spec_.branch), commit.str()}));
  if (!merged.ok()) {
    (void)git.run({"merge", "--abort"});
    Error error = git_error(fmt::format("merge in {}", fact.checkout), merged);
    error.exit = Exit::refused;
    return std::unexpected(std::move(error));
  }
  return CommitId(TRY(git.line("look at the merge", {"rev-parse", "HEAD"})));
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
  auto moved = main().set_ref(ref_of(branch), made.str(), fact.base.str());
  if (moved) return made;
  if (TRY(main().ref(ref_of(branch))) == fact.base.str()) return std::unexpected(moved.error());
  return fail(Exit::refused, fmt::format("the branch '{}' was moved meanwhile", branch), "",
              "run the same command again");
}

Result<CommitId> Workspace::merge(const CommitId& commit, const std::string& branch,
                                  const MergeFact& fact) {
  return fact.checkout.empty() ? merge_by_ref(commit, branch, fact)
                               : merge_in_checkout(commit, fact);
}

}  // namespace pf
