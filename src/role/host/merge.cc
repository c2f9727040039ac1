#include "role/host/merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "document/role/roadmap.h"
#include "document/role/task_file.h"
#include "git/merging.h"

namespace pf {
namespace {

// A landing that changed nothing in the roadmap but its own status is told by the other side's
// roadmap with that status; whatever else was written there is not to be lost.
Result<std::optional<std::string>> settled_roadmap(const Checkout& checkout, const Git& git,
                                                   const role::Landing& landing,
                                                   const std::string& onto) {
  const std::string roadmap(role::kRoadmapFile);
  const auto there = TRY(checkout.file_of(onto, roadmap));
  const Finished base = TRY(git.run({"merge-base", onto, landing.commit.str()}));
  if (!there || !base.ok()) return std::nullopt;
  const auto before = TRY(checkout.file_of(std::string(trim(base.out)), roadmap));
  const auto after = TRY(checkout.file_of(landing.commit.str(), roadmap));
  if (!before || role::closing_text(landing, roadmap, *before) != after) return std::nullopt;
  return role::closing_text(landing, roadmap, *there);
}

// The merged tree with our own files as the landing says.
Result<std::string> settled_tree(const Checkout& checkout, const Git& git,
                                 const role::Landing& landing, const MergedTree& merged,
                                 const std::string& onto) {
  if (landing.kind != role::LandingKind::feature) return merged.tree;
  const std::string reg(role::kRegisterFile), roadmap(role::kRoadmapFile);
  std::vector<TreeEdit> edits = {{reg, role::closing_text(landing, reg, "")}};
  const bool torn = std::ranges::find(merged.conflicts, roadmap) != merged.conflicts.end();
  std::optional<std::string> closed;
  if (torn)
    closed = TRY(settled_roadmap(checkout, git, landing, onto));
  else if (const auto text = TRY(checkout.file_of(merged.tree, roadmap)))
    closed = role::closing_text(landing, roadmap, *text);
  if (closed) edits.push_back({roadmap, std::move(closed)});
  for (const std::string& path : merged.conflicts)
    if (path.starts_with(role::kCurrentFolder)) edits.push_back({path, std::nullopt});
  for (const std::string& path : landing.removes) {  // that were committed on both sides
    const auto there = TRY(checkout.file_of(merged.tree, path));
    if (!there) continue;
    const auto approved = TRY(checkout.file_of(landing.salvage, path));
    const auto done = document::set_task_status(path, *there, document::WorkStatus::done);
    if (approved && (*there == *approved || (done && *done == *approved)))
      edits.push_back({path, std::nullopt});
  }
  return TRY(checkout.edited(merged.tree, edits)).str();
}

// Two sound roadmaps can be merged into one that is not: a feature that both sides added.
Status check_roadmap(const Checkout& checkout, const std::string& tree) {
  const std::string roadmap(role::kRoadmapFile);
  const auto text = TRY(checkout.file_of(tree, roadmap));
  if (!text) return {};
  const auto read = document::read_roadmap(*text);
  if (read) return {};
  return fail(Exit::refused,
              fmt::format("merged, {}", document::in_words(roadmap, read.error().front())));
}

}  // namespace

Result<std::vector<std::string>> real_conflicts(const Checkout& checkout, const Git& git,
                                                const role::Landing& landing,
                                                const std::string& onto,
                                                std::vector<std::string> conflicts) {
  if (landing.kind != role::LandingKind::feature) return conflicts;
  std::erase_if(conflicts, [](const std::string& path) {
    return path == role::kRegisterFile || path.starts_with(role::kCurrentFolder);
  });
  const auto torn = std::ranges::find(conflicts, role::kRoadmapFile);
  if (torn != conflicts.end() && TRY(settled_roadmap(checkout, git, landing, onto)))
    conflicts.erase(torn);
  return conflicts;
}

Result<role::ReportMerge> make_merge(RoleLoop& loop, const role::Landing& landing) {
  const Git git(loop.os(), {.git_dir = loop.paths().repository.common});
  const auto tip = TRY(git.ref("refs/heads/" + landing.into));
  if (!tip)
    return fail(Exit::refused, fmt::format("the branch {} is gone", landing.into), "",
                fmt::format("git branch {} <commit>", landing.into));
  role::ReportMerge made{landing.number, CommitId(*tip), CommitId(*tip)};
  const std::string& commit = landing.commit.str();
  if (TRY(is_ancestor(git, commit, *tip))) return made;
  if (TRY(is_ancestor(git, *tip, commit))) {
    made.merged = landing.commit;
    return made;
  }
  MergedTree merged = TRY(merge_trees(git, *tip, commit));
  made.conflicts = TRY(real_conflicts(loop.checkout(), git, landing, *tip, merged.conflicts));
  if (!made.conflicts.empty()) return made;
  const std::string tree = TRY(settled_tree(loop.checkout(), git, landing, merged, *tip));
  TRY(check_roadmap(loop.checkout(), tree));
  // All of it is there already, by another commit: a pull request that was squashed.
  if (tree == TRY(git.line("look at a tree", {"rev-parse", *tip + "^{tree}"}))) return made;
  const std::string message = fmt::format("Merge branch '{}' into {}\n\n{}\n", landing.branch,
                                          landing.into, role::name_of_landing(landing));
  made.merged = CommitId(TRY(git.line("make the merge", {"commit-tree", "--no-gpg-sign", "-p", *tip,
                                                         "-p", commit, "-m", message, tree})));
  TRY(loop.workspace().anchor(fmt::format("merge/{}", made.merged.str()), made.merged.str()));
  return made;
}

}  // namespace pf
