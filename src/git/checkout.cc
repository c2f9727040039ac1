// How it works. A snapshot is taken with an index of our own that begins at HEAD. To change files,
// that index, which describes them exactly, is merged forward from the snapshot to the wanted tree
// by git's two-tree merge: it writes what differs and refuses what stands in its way before it
// begins. `ours` is the same in both trees, so it stays.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/changes.h"
#include "git/git_user_repository.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLockedFor = 10s;  // another git in the same worktree
constexpr Duration kLockPause = 50ms;

// What a sparse checkout leaves out would look deleted. True when git was told to take some files
// for unchanged.
Result<bool> has_overlooked(const Git& own) {
  bool overlooked = false;
  for (const std::string& entry : TRY(own.pieces("look at the index", {"ls-files", "-v", "-z"}))) {
    if (entry.starts_with("S ") || entry.starts_with("s "))
      return fail(Exit::refused, "the checkout is sparse",
                  fmt::format("{} is not in it, and would be taken for deleted",
                              printable(entry.substr(2))),
                  "git sparse-checkout disable");
    overlooked = overlooked || ascii::is_lower(entry[0]);
  }
  return overlooked;
}

// Whether something that the tree does not know, an ignored file, stands where this one is to be:
// git would write over it.
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

}  // namespace

Git GitUserRepository::here() const {
  return Git(os_, {.git_dir = repository_.common, .work_tree = repository_.top});
}

Result<Git> GitUserRepository::in(const Path& worktree) const {
  return Git(os_, {.git_dir = TRY(git_dir_of(os_, repository_, worktree)), .work_tree = worktree});
}

Result<std::string> GitUserRepository::unfinished() const {
  for (const auto& [name, what] : {std::pair{"MERGE_HEAD", "merge"},
                                   {"CHERRY_PICK_HEAD", "cherry-pick"},
                                   {"REVERT_HEAD", "revert"},
                                   {"rebase-merge", "rebase"},
                                   {"rebase-apply", "rebase"},
                                   {"BISECT_LOG", "bisect"}})
    if (TRY(os_.files.exists(repository_.common / name))) return std::string(what);
  const std::string unmerged =
      TRY(here().output("look for conflicts", {"diff", "--name-only", "--diff-filter=U", "-z"}));
  return std::string(unmerged.empty() ? "" : "merge");
}

Result<std::vector<std::string>> GitUserRepository::dirty() {
  GitPlace place = here().place();
  std::optional<PrivateIndex> index;
  if (TRY(has_overlooked(here()))) {
    index.emplace(TRY(PrivateIndex::take(os_, scratch_, true)));  // has no flags
    place.index = index->path();
    TRY(Git(os_, place).must("read what is checked out", {"read-tree", "HEAD"}));
  }
  std::vector<std::string> paths;
  for (const std::string& entry :
       TRY(Git(os_, place)
               .pieces("look at the files that are not committed",
                       {"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
                        "--ignore-submodules=dirty"}))) {
    if (entry.size() < 4) continue;
    const std::string path = entry.substr(3);
    if (path != ours_ && !is_control(path)) paths.push_back(shown_path(path));
  }
  return paths;
}

Result<GitUserRepository::Shot> GitUserRepository::take(
    const Git& worktree, const std::vector<std::string>& forced) const {
  TRY(has_overlooked(worktree));
  PrivateIndex index = TRY(PrivateIndex::take(os_, scratch_, true));
  GitPlace place = worktree.place();
  place.index = index.path();
  const Git git(os_, place);
  TRY(git.must("read what is checked out", {"read-tree", "HEAD"}));
  const Finished added = TRY(git.run({"add", "-A"}));
  if (!added.ok()) {
    Error error = git_error("add the files", added);
    error.exit = Exit::refused;
    error.fix = "see that git can read it, or remove it, or name it in .gitignore";
    return std::unexpected(std::move(error));
  }
  for (const std::string& path : forced)
    if (TRY(os_.files.exists(place.work_tree / path)))
      TRY(git.must("add " + path, {"add", "-A", "-f", "--", path}));
  const std::string ours = TRY(git.output("look for our files", {"ls-files", "-z", ".pairflow"}));
  if (!ours.empty())
    TRY(git.must("leave out .pairflow", {"reset", "-q", "HEAD", "--", ".pairflow"}));
  std::string tree = TRY(git.line("record the files", {"write-tree"}));
  return Shot{std::move(index), git, std::move(tree)};
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
  const Paths there = TRY(files_of(now.tree, "."));
  const Paths unknown = TRY(changed_paths(now.tree, known));
  for (const ChangedFile& file : TRY(changes_between(os_, git_.place(), now.tree, wanted))) {
    if (file.path == ours_) continue;
    const bool hidden =
        file.status == "A" && TRY(is_in_the_way(os_.files, repository_.top, file.path, there));
    if (hidden || unknown.contains(file.path)) in_danger.push_back(shown_path(file.path));
  }
  if (in_danger.empty())
    TRY(now.git.must("change the files", {"read-tree", "-m", "-u", now.tree, wanted}));
  return in_danger;
}

Result<std::vector<std::string>> GitUserRepository::follow(const Path& where,
                                                           const std::string& known,
                                                           const std::string& to) {
  const Shot now = TRY(take(TRY(in(where)), {}));
  const Paths there = TRY(files_of(now.tree, "."));
  const Paths moved = TRY(changed_paths(now.tree, known));
  const Paths open = TRY(changed_paths(now.tree, to));
  // For each path ":<mode> <mode> <object> <object> <status>", then its name.
  const auto raw = TRY(git_.pieces(
      "compare two trees", {"diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", known, to}));
  std::vector<std::string> in_danger;
  GitOptions changes;
  for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
    const auto fields = split(raw[i], ' ');
    const std::string& path = raw[i + 1];
    const bool is_ours = where == repository_.top && path == ours_;
    if (is_ours || !open.contains(path)) continue;  // it is as it is to be
    const bool hidden = fields[4] == "A" && TRY(is_in_the_way(os_.files, where, path, there));
    if (hidden || moved.contains(path)) in_danger.push_back(shown_path(path));
    const bool goes = fields[4] == "D";
    changes.input += fmt::format("{} {}\t{}", goes ? "0" : fields[1], fields[3], path);
    changes.input.push_back('\0');
  }
  if (!in_danger.empty() || changes.input.empty()) return in_danger;
  const PrivateIndex index = TRY(PrivateIndex::take(os_, scratch_, true));
  const Git git(os_, {.git_dir = repository_.common, .index = index.path()});
  TRY(git.must("read a tree", {"read-tree", now.tree}));
  TRY(git.must("change a tree", {"update-index", "-z", "--index-info"}, changes));
  const std::string wanted = TRY(git.line("record a tree", {"write-tree"}));
  TRY(now.git.must("change the files", {"read-tree", "-m", "-u", now.tree, wanted}));
  return in_danger;
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
  const Git git = TRY(in(where));
  const MonoTime deadline = os_.clock.mono() + kLockedFor;
  for (;;) {
    const Finished done = TRY(git.run({"read-tree", "-i", "-m", treeish}));  // flags stay
    if (done.ok()) break;
    const bool locked = done.err.contains("index.lock");  // somebody else's git, for a moment
    if (!locked || os_.clock.mono() >= deadline)
      return std::unexpected(git_error("bring the index along", done));
    os_.clock.sleep(kLockPause);
  }
  TRY(git.run({"update-index", "-q", "--refresh"}));  // its code tells of files that differ
  return {};
}

Status GitUserRepository::set_head(const std::string& branch) {
  return git_.must("check out " + branch,
                   {"symbolic-ref", "-m", "pairflow", "HEAD", ref_of_branch(branch)});
}

}  // namespace pf
