// How it works. A snapshot is taken with an index of our own that begins at HEAD. To change files,
// that index, which describes them exactly, is merged forward from the snapshot to the wanted tree
// by git's two-tree merge: it writes what differs and refuses what stands in its way before it
// begins. `ours` is the same in both trees, so it stays, and so is what a sparse checkout leaves
// out.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/changed_tree.h"
#include "git/changes.h"
#include "git/following.h"
#include "git/git_user_repository.h"
#include "git/promised.h"

namespace pf {

Result<bool> is_in_the_way(Files& files, const Path& top, const Path& path,
                           const std::set<std::string>& known) {
  if (const auto info = TRY(files.info(top / path)); info) {
    if (info->kind != FileKind::directory) return !known.contains(path.string());
    for (const Entry& entry : TRY(files.list(top / path)))
      if (TRY(is_in_the_way(files, top, path / entry.name, known))) return true;
    return false;
  }
  for (Path above = path.parent_path(); !above.empty(); above = above.parent_path())
    if (const auto info = TRY(files.info(top / above)); info)
      return info->kind != FileKind::directory && !known.contains(above.string());
  return false;
}

Git GitUserRepository::here() const {
  return Git(os_, {.git_dir = repository_.common, .work_tree = repository_.top});
}

Result<Git> GitUserRepository::in(const Path& worktree) const {
  return Git(os_, {.git_dir = TRY(git_dir_of(os_, repository_, worktree)), .work_tree = worktree});
}

Result<UserCheckout> GitUserRepository::checkout_at(const Path& where) const {
  return UserCheckout{where, TRY(git_dir_of(os_, repository_, where)), scratch_};
}

Result<std::string> GitUserRepository::unfinished() const {
  for (const auto& [name, what] : {std::pair{"MERGE_HEAD", "merge"},
                                   {"CHERRY_PICK_HEAD", "cherry-pick"},
                                   {"REVERT_HEAD", "revert"},
                                   {"rebase-merge", "rebase"},
                                   {"rebase-apply", "rebase"},
                                   {"BISECT_LOG", "bisect"}})
    if (TRY(os_.files.exists(repository_.common / name))) return std::string(what);
  const std::string unmerged = TRY(here().output("look for conflicts", {"ls-files", "-u", "-z"}));
  return std::string(unmerged.empty() ? "" : "merge");
}

Result<std::vector<std::string>> GitUserRepository::dirty() {
  GitPlace place = here().place();
  std::optional<PrivateIndex> index;
  const auto overlooked = TRY(look_for_overlooked(os_, TRY(checkout_at(repository_.top)), "HEAD"));
  if (overlooked.assumed) {
    index.emplace(TRY(PrivateIndex::take(os_, scratch_, true)));  // has no flags
    const Git git(os_, {.git_dir = place.git_dir, .index = index->path()});
    TRY(git.must("read what is checked out", {"read-tree", "HEAD"}));
    TRY(overlook(git, overlooked.left_out));
    place.index = index->path();
  }
  std::vector<std::string> paths;
  for (const std::string& entry : TRY(status_of(os_, repository_, place, "all"))) {
    if (entry.size() < 4) continue;
    const std::string path = entry.substr(3);
    if (path != ours_ && !is_control(path)) paths.push_back(shown_path(path));
  }
  return paths;
}

// What git was told to take for unchanged it looks at here: the index is one of our own.
Result<GitUserRepository::Shot> GitUserRepository::look_into(
    const Git& worktree, const std::vector<std::string>& forced) const {
  const Path& where = worktree.place().work_tree;
  Shot shot;
  shot.index = std::make_unique<PrivateIndex>(TRY(PrivateIndex::take(os_, scratch_, true)));
  const std::string head = TRY(worktree.line("look at HEAD", {"rev-parse", "HEAD"}));
  TakingSpec spec = TRY(taking_now(os_, repository_, where, head, *shot.index));
  spec.forced = forced;
  spec.left_out = TRY(look_for_overlooked(os_, TRY(checkout_at(where)), head)).left_out;
  TRY(fetch_promised(os_, repository_, head, spec.left_out));
  shot.taking = std::make_unique<Taking>(os_, std::move(spec), *shot.index);
  TRY(shot.taking->begin());
  return shot;
}

Result<GitUserRepository::Shot> GitUserRepository::take(
    const Git& worktree, const std::vector<std::string>& forced) const {
  Shot shot = TRY(look_into(worktree, forced));
  auto tree = shot.taking->take();
  if (!tree) {
    Error error = std::move(tree).error();
    if (!shot.taking->was_cut_off()) error.exit = Exit::refused;
    return std::unexpected(std::move(error));
  }
  shot.tree = std::move(*tree);
  return shot;
}

Result<GitUserRepository::Paths> GitUserRepository::changed_paths(const std::string& a,
                                                                  const std::string& b) const {
  Paths paths;
  for (ChangedFile& file : TRY(changes_between(os_, git_.place(), a, b)))
    paths.insert(std::move(file.path));
  return paths;
}

Result<TreeId> GitUserRepository::snapshot(const std::vector<std::string>& forced) {
  return TreeId(TRY(take(here(), forced)).tree);
}

Result<std::vector<std::string>> GitUserRepository::carry(const std::string& known,
                                                          const std::string& to,
                                                          const std::vector<std::string>& forced) {
  const Shot now = TRY(take(here(), forced));
  std::vector<TreeEdit> kept;
  if (!ours_.empty()) kept.push_back({ours_, TRY(file_of(now.tree, ours_))});
  const std::string wanted = TRY(edited(to, kept)).str();
  std::vector<std::string> in_danger;
  if (now.tree == wanted) return in_danger;
  const UserCheckout checkout = TRY(checkout_at(repository_.top));
  const auto left_out = TRY(look_for_overlooked(os_, checkout, wanted)).left_out;
  const HalfWritten half(os_, scratch_, repository_.top, wanted);
  const bool cut_off = TRY(half.was_cut_off());
  const Paths there = TRY(files_of(now.tree, "."));
  const Paths unknown = TRY(changed_paths(now.tree, known));
  std::vector<RawChange> changes;
  for (const RawChange& change : TRY(raw_changes(git_, now.tree, wanted))) {
    const std::string& path = change.path;
    if (path == ours_ || left_out.contains(path)) continue;
    changes.push_back(change);
    const bool hidden =
        change.comes() && TRY(is_in_the_way(os_.files, repository_.top, path, there));
    if (!hidden && !unknown.contains(path)) continue;
    if (!cut_off || !TRY(half.is_at(now.taking->git(), path, change.new_id)))
      in_danger.push_back(shown_path(path));
  }
  if (!in_danger.empty()) return in_danger;
  TRY(fetch_promised(os_, repository_, wanted, left_out));
  TRY(half.begin());
  TRY(now.taking->git(repository_.top)
          .must("change the files",
                {"read-tree", "-m", "-u", now.tree,
                 TRY(changed_tree(os_, repository_, scratch_, now.tree, changes)).str()}));
  TRY(half.end());
  return in_danger;
}

Result<std::vector<std::string>> GitUserRepository::follow(const Path& where,
                                                           const std::string& known,
                                                           const std::string& to) {
  auto following = TRY(Following::look(os_, repository_, TRY(checkout_at(where)), {known, to},
                                       where == repository_.top ? ours_ : ""));
  if (following.in_danger().empty()) TRY(following.change_files());
  return following.in_danger();
}

Result<std::vector<std::string>> GitUserRepository::ignored_here_alone(const std::string& to) {
  const Git git = here();
  GitOptions listed;
  listed.environment = {{"GIT_LITERAL_PATHSPECS", "0"}};  // check-ignore does not know them
  listed.input = TRY(git.output("list what is ignored", {"ls-files", "-z", "--others", "--ignored",
                                                         "--exclude-standard", "--directory"}));
  std::vector<std::string> bared;
  if (listed.input.empty()) return bared;
  const Path exclude = repository_.common / "info" / "exclude";
  std::vector<std::string> excluded;
  if (TRY(os_.files.exists(exclude)))
    excluded = TRY(
        git.pieces("list what is excluded", {"ls-files", "-z", "--others", "--ignored",
                                             "--directory", "--exclude-from=" + exclude.string()}));
  // Four fields for each: the file with the rule, its line, the rule, the path.
  const auto told = TRY(git.pieces("ask why it is ignored",
                                   {"check-ignore", "-v", "-z", "--no-index", "--stdin"}, listed));
  for (std::size_t i = 0; i + 3 < told.size(); i += 4) {
    const std::string& source = told[i];
    if (std::ranges::find(excluded, told[i + 3]) != excluded.end() ||
        Path(source).filename() != ".gitignore" || Path(source).is_absolute())
      continue;
    const auto there = TRY(file_of(to, source));
    const auto rules = split(there.value_or(""), '\n');
    const bool kept = std::ranges::any_of(
        rules, [&](std::string_view rule) { return trim(rule) == trim(told[i + 2]); });
    if (!kept) bared.push_back(shown_path(told[i + 3]));
  }
  return bared;
}

Status GitUserRepository::set_index(const Path& where, const std::string& treeish) {
  return move_index(os_, TRY(checkout_at(where)), {treeish});
}

Status GitUserRepository::set_head(const std::string& branch) {
  return git_.must("check out " + branch,
                   {"symbolic-ref", "-m", "pairflow", "HEAD", ref_of_branch(branch)});
}

}  // namespace pf
