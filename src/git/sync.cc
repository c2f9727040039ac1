// How it works. The files as they are become a commit on top of the bubble's base, which is merged
// with the base branch as objects; that commit has no date, so that the same files give the same
// merge, marks of conflicts included. Then the files go from the one tree to the other by git's
// two-tree merge, confined: it refuses what stands in its way before it writes anything.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "git/changes.h"
#include "git/merging.h"
#include "git/taking.h"
#include "git/workspace.h"

namespace pf {
namespace {

constexpr const char* kMarks = "^(<<<<<<<|>>>>>>>) [0-9a-f]{40}";  // as merge-tree names the sides

// Whether the file, as it is in one tree, is a beginning of what the other has: a git that was
// killed has left it, and it holds nothing else.
Result<bool> is_half_written(const Git& git, const std::string& now, const std::string& to,
                             const std::string& path) {
  const auto whole = TRY(git.run({"cat-file", "blob", fmt::format("{}:{}", to, path)}));
  const auto begun = TRY(git.run({"cat-file", "blob", fmt::format("{}:{}", now, path)}));
  if (!begun.ok()) return whole.ok();  // taken away, to be written anew
  return whole.ok() && whole.out.starts_with(begun.out);
}

}  // namespace

Result<MergedTree> Workspace::merged_tree(const CommitId& ours, const CommitId& theirs) const {
  const Git git(os_, TRY(objects()));
  return merge_trees(git, ours.str(), theirs.str());
}

Result<SyncFact> Workspace::look_at_sync(const std::string& branch,
                                         const std::optional<TreeId>& target) {
  const auto at = TRY(main().ref(ref_of_branch(branch)));
  if (!at)
    return fail(Exit::refused, fmt::format("the branch '{}' is gone", branch), "",
                fmt::format("put it back: git branch {} <commit>", branch));
  SyncFact fact;
  fact.onto = CommitId(*at);
  fact.onto_tree =
      TreeId(TRY(main().line("look at the base", {"rev-parse", fact.onto.str() + "^{tree}"})));
  fact.commits = parse_number<int>(
                     TRY(main().line("count the base's commits",
                                     {"rev-list", "--count",
                                      fmt::format("{}..{}", spec_.base.str(), fact.onto.str())})))
                     .value_or(0);
  const TreeFact now = TRY(snapshot(true));
  fact.tip = now.tip;
  fact.files = now.tree;
  if (fact.commits == 0) return fact;
  const auto merged = [&](const TreeId& tree) -> Result<MergedTree> {
    const auto ours = TRY(loose_commit(tree, spec_.base, "files of a bubble\n", false));
    return merged_tree(ours, fact.onto);
  };
  MergedTree files = TRY(merged(fact.files));
  fact.merged = TreeId(std::move(files.tree));
  fact.conflicts = std::move(files.conflicts);
  if (target == fact.files)
    fact.target = fact.merged;
  else if (target)
    fact.target = TreeId(TRY(merged(*target)).tree);
  fact.changed = TRY(changed(fact.onto.str(), fact.merged.str()));
  return fact;
}

Result<std::vector<std::string>> Workspace::bring_files(const TreeId& from, const TreeId& to) {
  TRY(linked());
  PrivateIndex index = TRY(PrivateIndex::take(os_, spec_.index, true));
  const TakingSpec spec = TRY(this->taking(spec_.worktree, spec_.base.str(), index));
  Taking taking(os_, spec, index);
  TRY(taking.begin());
  const std::string now = TRY(taking.take());
  std::vector<std::string> in_danger;
  if (now == to.str()) return in_danger;
  const Git objects(os_, spec.rules);
  const auto files =
      TRY(objects.pieces("list the tree", {"ls-tree", "-r", "-z", "--name-only", now}));
  const std::set<std::string> there(files.begin(), files.end());
  std::set<std::string> unknown;
  for (ChangedFile& file : TRY(changes_between(os_, spec.rules, now, from.str())))
    unknown.insert(std::move(file.path));
  for (const ChangedFile& file : TRY(changes_between(os_, spec.rules, now, to.str()))) {
    const bool hidden =
        file.status == "A" && TRY(is_in_the_way(os_.files, spec_.worktree, file.path, there));
    const bool edited =
        unknown.contains(file.path) && !TRY(is_half_written(objects, now, to.str(), file.path));
    if (hidden || edited) in_danger.push_back(shown_path(file.path));
  }
  if (in_danger.empty())
    TRY(taking.git(spec_.worktree)
            .must("change the files", {"read-tree", "-m", "-u", now, to.str()}));
  return in_danger;
}

Status Workspace::rebase(const CommitId& onto, const CommitId& tip) {
  if (tip != spec_.base && TRY(this->tip()) == tip) TRY(salvage());
  TRY(anchor("base", onto.str()));
  TRY(move_branch(onto, tip));
  TRY(os_.files.remove(spec_.index));  // it began at the old base
  return refresh_index();
}

Result<std::vector<std::string>> Workspace::marked(const TreeId& tree,
                                                   const std::vector<std::string>& paths) const {
  TRY(check_object_id(tree.str()));
  std::vector<std::string> marked;
  if (paths.empty()) return marked;
  const Git git(os_, TRY(objects()));
  Git::Words words = {"grep", "-l", "-z", "-a", "-E", "-e", kMarks, tree.str(), "--"};
  const std::size_t without_files = words.size();
  for (std::string& path :
       TRY(git.pieces("list the tree", {"ls-tree", "-r", "-z", "--name-only", tree.str()})))
    if (std::ranges::find(paths, shown_path(path)) != paths.end()) words.push_back(std::move(path));
  if (words.size() == without_files) return marked;
  const auto found = TRY(git.run(words));
  if (found.code > 1) return std::unexpected(git_error("look for marks of conflicts", found));
  for (const std::string& entry : split_nul(found.out))
    marked.push_back(shown_path(entry.substr(entry.find(':') + 1)));
  return marked;
}

}  // namespace pf
