#include "engine/role_merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "workspace/merging.h"

namespace pf {
namespace {

// The merged tree with our own files as the landing says.
Result<std::string> settled_tree(const Checkout& checkout, const role::Landing& landing,
                                 const MergedTree& merged, const CommitId& onto) {
  if (landing.kind != role::LandingKind::feature) return merged.tree;
  std::vector<TreeEdit> edits;
  const std::string reg(role::kRegisterFile), roadmap(role::kRoadmapFile);
  edits.push_back({reg, role::closing_text(landing, reg, "")});
  const bool torn = std::ranges::find(merged.conflicts, roadmap) != merged.conflicts.end();
  const auto text = TRY(checkout.file_of(torn ? onto.str() : merged.tree, roadmap));
  if (const auto closed = text ? role::closing_text(landing, roadmap, *text) : std::nullopt)
    edits.push_back({roadmap, closed});
  for (const std::string& path : merged.conflicts)
    if (path.starts_with(role::kCurrentFolder)) edits.push_back({path, std::nullopt});
  return TRY(checkout.edited(merged.tree, edits)).str();
}

}  // namespace

bool is_settled_by_closing(const std::string& path) {
  return path == role::kRegisterFile || path == role::kRoadmapFile ||
         path.starts_with(role::kCurrentFolder);
}

Result<role::FileMerge> make_merge(RoleLoop& loop, const role::Landing& landing) {
  const Git git(loop.os(), {.git_dir = loop.paths().repository.common});
  const auto tip = TRY(git.ref("refs/heads/" + landing.into));
  if (!tip)
    return fail(Exit::refused, fmt::format("the branch {} is gone", landing.into), "",
                fmt::format("git branch {} <commit>", landing.into));
  role::FileMerge made{landing.number, CommitId(*tip), CommitId(*tip)};
  const std::string& commit = landing.commit.str();
  if (TRY(is_ancestor(git, commit, *tip))) return made;
  if (TRY(is_ancestor(git, *tip, commit))) {
    made.merged = landing.commit;
    return made;
  }
  MergedTree merged = TRY(merge_trees(git, *tip, commit));
  made.conflicts = merged.conflicts;
  if (landing.kind == role::LandingKind::feature)
    std::erase_if(made.conflicts, is_settled_by_closing);
  if (!made.conflicts.empty()) return made;
  const std::string tree = TRY(settled_tree(loop.checkout(), landing, merged, made.onto));
  const std::string message = fmt::format("Merge branch '{}' into {}\n\n{}\n", landing.branch,
                                          landing.into, role::name_of_landing(landing));
  made.merged = CommitId(TRY(git.line("make the merge", {"commit-tree", "--no-gpg-sign", "-p", *tip,
                                                         "-p", commit, "-m", message, tree})));
  TRY(loop.workspace().anchor(fmt::format("merge/{}", made.merged.str()), made.merged.str()));
  return made;
}

}  // namespace pf
