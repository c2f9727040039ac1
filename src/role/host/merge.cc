#include "role/host/merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "document/role/roadmap.h"
#include "document/role/task_file.h"

namespace pf {
namespace {

// A landing that changed nothing in the roadmap but its own status is told by the other side's
// roadmap with that status; whatever else was written there is not to be lost.
Result<std::optional<std::string>> settled_roadmap(UserRepository& git,
                                                   const role::Landing& landing,
                                                   const CommitId& onto) {
  const std::string roadmap(role::kRoadmapFile);
  const auto there = TRY(git.file_of(onto.str(), roadmap));
  const auto base = TRY(git.merge_base(onto, landing.commit));
  if (!there || !base) return std::nullopt;
  const auto before = TRY(git.file_of(base->str(), roadmap));
  const auto after = TRY(git.file_of(landing.commit.str(), roadmap));
  if (!before || role::closing_text(landing, roadmap, *before) != after) return std::nullopt;
  return role::closing_text(landing, roadmap, *there);
}

// The merged tree with our own files as the landing says.
Result<TreeId> settled_tree(UserRepository& git, const role::Landing& landing,
                            const MergedTree& merged, const CommitId& onto) {
  if (landing.kind != role::LandingKind::feature) return TreeId(merged.tree);
  const std::string reg(role::kRegisterFile), roadmap(role::kRoadmapFile);
  std::vector<TreeEdit> edits = {{reg, role::closing_text(landing, reg, "")}};
  const bool torn = std::ranges::find(merged.conflicts, roadmap) != merged.conflicts.end();
  std::optional<std::string> closed;
  if (torn)
    closed = TRY(settled_roadmap(git, landing, onto));
  else if (const auto text = TRY(git.file_of(merged.tree, roadmap)))
    closed = role::closing_text(landing, roadmap, *text);
  if (closed) edits.push_back({roadmap, std::move(closed)});
  for (const std::string& path : merged.conflicts)
    if (path.starts_with(role::kCurrentFolder)) edits.push_back({path, std::nullopt});
  for (const std::string& path : landing.removes) {  // that were committed on both sides
    const auto there = TRY(git.file_of(merged.tree, path));
    if (!there) continue;
    const auto approved = TRY(git.file_of(landing.salvage, path));
    const auto done = document::set_task_status(path, *there, document::WorkStatus::done);
    if (approved && (*there == *approved || (done && *done == *approved)))
      edits.push_back({path, std::nullopt});
  }
  return git.edited(merged.tree, edits);
}

// Two sound roadmaps can be merged into one that is not: a feature that both sides added.
Status check_roadmap(UserRepository& git, const TreeId& tree) {
  const std::string roadmap(role::kRoadmapFile);
  const auto text = TRY(git.file_of(tree.str(), roadmap));
  if (!text) return {};
  const auto read = document::read_roadmap(*text);
  if (read) return {};
  return fail(Exit::refused,
              fmt::format("merged, {}", document::in_words(roadmap, read.error().front())));
}

// Who merged it by hand need not have set its line of the roadmap: that is ours to do.
Result<role::ReportMerge> close_merged(UserRepository& git, const role::Landing& landing,
                                       role::ReportMerge made) {
  if (landing.kind != role::LandingKind::feature) return made;
  const std::string roadmap(role::kRoadmapFile);
  const auto text = TRY(git.file_of(made.onto.str(), roadmap));
  const auto read =
      text ? document::read_roadmap(*text) : std::unexpected(std::vector<document::Problem>{});
  const document::Feature* feature = read ? read->find(landing.feature) : nullptr;
  const bool open = feature != nullptr && (feature->status == document::WorkStatus::planned ||
                                           feature->status == document::WorkStatus::in_progress);
  if (!open) return made;
  const TreeId tree =
      TRY(git.edited(made.onto.str(), {{roadmap, role::closing_text(landing, roadmap, *text)}}));
  const std::string message =
      fmt::format("Finish {}\n\nIt was merged by hand.\n", role::name_of_landing(landing));
  made.merged = TRY(git.make_commit({tree, made.onto, message}, {}));
  TRY(keep_commit(git, fmt::format("merge/{}", made.merged.str()), made.merged));
  return made;
}

}  // namespace

Result<std::vector<std::string>> real_conflicts(UserRepository& git, const role::Landing& landing,
                                                const CommitId& onto,
                                                std::vector<std::string> conflicts) {
  if (landing.kind != role::LandingKind::feature) return conflicts;
  std::erase_if(conflicts, [](const std::string& path) {
    return path == role::kRegisterFile || path.starts_with(role::kCurrentFolder);
  });
  const auto torn = std::ranges::find(conflicts, role::kRoadmapFile);
  if (torn != conflicts.end() && TRY(settled_roadmap(git, landing, onto))) conflicts.erase(torn);
  return conflicts;
}

Result<std::string> keep_commit(UserRepository& git, const std::string& name,
                                const CommitId& commit) {
  const std::string ref = fmt::format("refs/pairflow/{}/{}", kRoleLoop, name);
  TRY(git.set_ref(ref, commit.str(), std::nullopt));
  return ref;
}

Result<role::ReportMerge> make_merge(UserRepository& git, const role::Landing& landing) {
  const auto at = TRY(git.ref("refs/heads/" + landing.into));
  if (!at)
    return fail(Exit::refused, fmt::format("the branch {} is gone", landing.into), "",
                fmt::format("git branch {} <commit>", landing.into));
  const CommitId tip(*at);
  role::ReportMerge made{landing.number, tip, tip};
  const CommitId& commit = landing.commit;
  if (TRY(git.is_ancestor(commit, tip))) return close_merged(git, landing, std::move(made));
  if (TRY(git.is_ancestor(tip, commit))) {
    made.merged = commit;
    return made;
  }
  const MergedTree merged = TRY(git.merge_trees(tip, commit));
  made.conflicts = TRY(real_conflicts(git, landing, tip, merged.conflicts));
  if (!made.conflicts.empty()) return made;
  const TreeId tree = TRY(settled_tree(git, landing, merged, tip));
  TRY(check_roadmap(git, tree));
  // All of it is there already, by another commit: a pull request that was squashed.
  if (tree == TRY(git.tree_of(tip.str()))) return made;
  const std::string message = fmt::format("Merge branch '{}' into {}\n\n{}\n", landing.branch,
                                          landing.into, role::name_of_landing(landing));
  made.merged = TRY(git.make_commit({tree, tip, message}, commit));
  if (tree != TRY(git.tree_of(commit.str()))) made.tree = tree;
  TRY(keep_commit(git, fmt::format("merge/{}", made.merged.str()), made.merged));
  return made;
}

}  // namespace pf
