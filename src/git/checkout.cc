// How it works. A snapshot is taken with an index of our own that begins at HEAD. To change files,
// that index, which describes them exactly, is merged forward from the snapshot to the wanted tree
// by git's two-tree merge: it writes what differs and refuses what stands in its way before it
// begins. `ours` is the same in both trees, so it stays.
#include "git/checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/changes.h"
#include "git/private_index.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLockedFor = 10s;  // another git in the same worktree
constexpr Duration kLockPause = 50ms;
constexpr std::string_view kControl = ".pairflow";

bool is_control(std::string_view path) {
  return path == kControl || path.starts_with(".pairflow/");
}

// What a sparse checkout leaves out would look deleted. True when git was told to take some files
// for unchanged.
Result<bool> has_overlooked(const Git& own) {
  const std::string listed = TRY(own.output("look at the index", {"ls-files", "-v", "-z"}));
  bool overlooked = false;
  for (const std::string& entry : split_nul(listed)) {
    if (entry.starts_with("S ") || entry.starts_with("s "))
      return fail(Exit::refused, "the checkout is sparse",
                  fmt::format("{} is not in it, and would be taken for deleted",
                              printable(entry.substr(2))),
                  "git sparse-checkout disable");
    overlooked = overlooked || (entry[0] >= 'a' && entry[0] <= 'z');
  }
  return overlooked;
}

}  // namespace

Checkout::Checkout(Os& os, const Repository& repository, Path top, Path git_dir, Path scratch,
                   const Path& ours)
    : os_(os),
      common_(repository.common),
      top_(std::move(top)),
      git_dir_(std::move(git_dir)),
      scratch_(std::move(scratch)),
      ours_(ours.string()) {}

Git Checkout::own() const { return Git(os_, {.git_dir = git_dir_, .work_tree = top_}); }
Git Checkout::objects() const { return Git(os_, {.git_dir = common_}); }

// Somebody else's git may hold the index for a moment.
Status Checkout::must_alone(std::string_view doing, const Git::Words& words) const {
  const MonoTime deadline = os_.clock.mono() + kLockedFor;
  for (;;) {
    const Finished done = TRY(own().run(words));
    if (done.ok()) return {};
    const bool locked = done.err.find("index.lock") != std::string::npos;
    if (!locked || os_.clock.mono() >= deadline) return std::unexpected(git_error(doing, done));
    os_.clock.sleep(kLockPause);
  }
}

Result<std::string> Checkout::branch() const {
  const Finished head = TRY(own().run({"symbolic-ref", "-q", "--short", "HEAD"}));
  return head.ok() ? std::string(trim(head.out)) : std::string();
}

Result<std::string> Checkout::unfinished() const {
  for (const auto& [name, what] : {std::pair{"MERGE_HEAD", "merge"},
                                   {"CHERRY_PICK_HEAD", "cherry-pick"},
                                   {"REVERT_HEAD", "revert"},
                                   {"rebase-merge", "rebase"},
                                   {"rebase-apply", "rebase"},
                                   {"BISECT_LOG", "bisect"}})
    if (TRY(os_.files.exists(git_dir_ / name))) return std::string(what);
  const std::string unmerged =
      TRY(own().output("look for conflicts", {"diff", "--name-only", "--diff-filter=U", "-z"}));
  return std::string(unmerged.empty() ? "" : "merge");
}

Result<RepositoryFact> Checkout::look(const std::vector<std::string>& patterns) const {
  RepositoryFact fact;
  fact.branch = TRY(branch());
  fact.unfinished = TRY(unfinished());
  const Finished at = TRY(own().run({"rev-parse", "-q", "--verify", "HEAD^{commit}"}));
  if (!at.ok())
    return fail(Exit::refused, "the repository has no commit yet", "a branch begins at one",
                "git commit --allow-empty -m \"first\"");
  fact.at = CommitId(std::string(trim(at.out)));
  Git::Words words = {"for-each-ref", "--format=%(objectname) %(refname)"};
  for (const std::string& pattern : patterns) words.push_back("refs/heads/" + pattern);
  const std::string listed = TRY(objects().output("list the branches", words));
  constexpr std::string_view kHeads = " refs/heads/";
  for (const std::string_view line : split(listed, '\n'))
    if (const auto space = line.find(kHeads); space != std::string_view::npos)
      fact.branches.push_back({std::string(line.substr(space + kHeads.size())),
                               CommitId(std::string(line.substr(0, space)))});
  fact.dirty = TRY(dirty());
  return fact;
}

Result<std::vector<std::string>> Checkout::dirty() const {
  if (!TRY(has_overlooked(own()))) return dirty_by(own());
  const PrivateIndex index = TRY(PrivateIndex::take(os_, scratch_, true));  // has no flags
  const Git git(os_, {.git_dir = git_dir_, .work_tree = top_, .index = index.path()});
  TRY(git.must("read what is checked out", {"read-tree", "HEAD"}));
  return dirty_by(git);
}

Result<std::vector<std::string>> Checkout::dirty_by(const Git& git) const {
  const std::string listed =
      TRY(git.output("look at the files that are not committed",
                     {"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
                      "--ignore-submodules=dirty"}));
  std::vector<std::string> paths;
  for (const std::string& entry : split_nul(listed)) {
    if (entry.size() < 4) continue;
    const std::string path = entry.substr(3);
    if (path != ours_ && !is_control(path)) paths.push_back(shown_path(path));
  }
  return paths;
}

namespace {

// The files as they are, in an index of their own.
class Shot {
 public:
  static Result<Shot> take(Os& os, const Path& git_dir, const Path& top, const Path& scratch,
                           const std::vector<std::string>& forced) {
    TRY(has_overlooked(Git(os, {.git_dir = git_dir, .work_tree = top})));
    Shot shot(os, git_dir, top, TRY(PrivateIndex::take(os, scratch, true)));
    const Git git = shot.git();
    TRY(git.must("read what is checked out", {"read-tree", "HEAD"}));
    const Finished added = TRY(git.run({"add", "-A"}));
    if (!added.ok()) {
      Error error = git_error("add the files", added);
      error.exit = Exit::refused;
      error.fix = "see that git can read it, or remove it, or name it in .gitignore";
      return std::unexpected(std::move(error));
    }
    for (const std::string& path : forced)
      if (TRY(os.files.exists(top / path)))
        TRY(git.must("add " + path, {"add", "-A", "-f", "--", path}));
    const std::string ours = TRY(git.output("look for our files", {"ls-files", "-z", ".pairflow"}));
    if (!ours.empty())
      TRY(git.must("leave out .pairflow", {"reset", "-q", "HEAD", "--", ".pairflow"}));
    shot.tree_ = TreeId(TRY(git.line("record the files", {"write-tree"})));
    return shot;
  }
  Git git() const {
    return Git(os_, {.git_dir = git_dir_, .work_tree = top_, .index = index_.path()});
  }
  const TreeId& tree() const { return tree_; }

 private:
  Shot(Os& os, Path git_dir, Path top, PrivateIndex index)
      : os_(os), git_dir_(std::move(git_dir)), top_(std::move(top)), index_(std::move(index)) {}
  Os& os_;
  Path git_dir_, top_;
  PrivateIndex index_;
  TreeId tree_;
};

Result<std::set<std::string>> differing(Os& os, const Path& common, const std::string& a,
                                        const std::string& b) {
  std::set<std::string> paths;
  for (ChangedFile& file : TRY(changes_between(os, {.git_dir = common}, a, b)))
    paths.insert(std::move(file.path));
  return paths;
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

Result<TreeId> Checkout::snapshot(const std::vector<std::string>& forced) const {
  return TRY(Shot::take(os_, git_dir_, top_, scratch_, forced)).tree();
}

Result<std::optional<std::string>> Checkout::file_of(const std::string& treeish,
                                                     const std::string& path) const {
  const Git git = objects();
  const std::string entry =
      TRY(git.output("look into a tree", {"ls-tree", "-z", treeish, "--", path}));
  const auto tab = entry.find('\t');
  if (tab == std::string::npos || !entry.starts_with("100")) return std::nullopt;
  const auto parts = split(std::string_view(entry).substr(0, tab), ' ');
  return TRY(git.output("read a file of a tree", {"cat-file", "blob", std::string(parts[2])}));
}

Result<std::vector<std::string>> Checkout::files_of(const std::string& treeish,
                                                    const std::string& directory) const {
  return split_nul(TRY(objects().output(
      "look into a tree", {"ls-tree", "-r", "-z", "--name-only", treeish, "--", directory})));
}

Result<TreeId> Checkout::edited(const std::string& treeish,
                                const std::vector<TreeEdit>& edits) const {
  const PrivateIndex index = TRY(PrivateIndex::take(os_, scratch_, true));
  const Git git(os_, {.git_dir = common_, .index = index.path()});
  TRY(git.must("read a tree", {"read-tree", treeish}));
  GitOptions removed;
  for (const TreeEdit& edit : edits) {
    if (edit.text) {
      const std::string blob = TRY(git.line(
          "store a file", {"hash-object", "-w", "--no-filters", "--stdin"}, {.input = *edit.text}));
      TRY(git.must("change a tree", {"update-index", "--add", "--replace", "--cacheinfo",
                                     fmt::format("100644,{},{}", blob, edit.path)}));
      continue;
    }
    const bool is_directory = edit.path.ends_with('/');
    for (const std::string& path :
         is_directory ? TRY(files_of(treeish, edit.path)) : std::vector{edit.path})
      removed.input.append(path).push_back('\0');
  }
  if (!removed.input.empty())
    TRY(git.must("change a tree", {"update-index", "-z", "--force-remove", "--stdin"}, removed));
  return TreeId(TRY(git.line("record a tree", {"write-tree"})));
}

Result<std::vector<std::string>> Checkout::carry(const std::string& known, const std::string& to,
                                                 const std::vector<std::string>& forced) const {
  const Shot shot = TRY(Shot::take(os_, git_dir_, top_, scratch_, forced));
  const std::string now = shot.tree().str();
  std::vector<TreeEdit> kept;
  if (!ours_.empty()) kept.push_back({ours_, TRY(file_of(now, ours_))});
  const std::string wanted = TRY(edited(to, kept)).str();
  if (now == wanted) return std::vector<std::string>{};
  const auto unknown = TRY(differing(os_, common_, now, known));
  const auto here = TRY(paths_of(now));
  std::vector<std::string> in_danger;
  for (const ChangedFile& file : TRY(changes_between(os_, {.git_dir = common_}, now, wanted))) {
    if (file.path == ours_) continue;
    const bool hidden = file.status == "A" && TRY(is_in_the_way(os_.files, top_, file.path, here));
    if (hidden || unknown.contains(file.path)) in_danger.push_back(shown_path(file.path));
  }
  if (!in_danger.empty()) return in_danger;
  TRY(shot.git().must("change the files", {"read-tree", "-m", "-u", now, wanted}));
  return std::vector<std::string>{};
}

Result<std::set<std::string>> Checkout::paths_of(const std::string& treeish) const {
  const auto all = TRY(files_of(treeish, "."));
  return std::set<std::string>(all.begin(), all.end());
}

Result<std::vector<std::string>> Checkout::follow(const std::string& known,
                                                  const std::string& to) const {
  const Shot shot = TRY(Shot::take(os_, git_dir_, top_, scratch_, {}));
  const std::string now = shot.tree().str();
  const auto here = TRY(paths_of(now));
  const auto moved = TRY(differing(os_, common_, now, known));
  const auto open = TRY(differing(os_, common_, now, to));
  // For each path ":<mode> <mode> <object> <object> <status>", then its name.
  const auto raw = split_nul(TRY(objects().output(
      "compare two trees", {"diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", known, to})));
  std::vector<std::string> in_danger;
  GitOptions changes;
  for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
    const auto fields = split(raw[i], ' ');
    const std::string& path = raw[i + 1];
    if (path == ours_ || !open.contains(path)) continue;  // it is as it is to be
    const bool hidden = fields[4] == "A" && TRY(is_in_the_way(os_.files, top_, path, here));
    if (hidden || moved.contains(path)) in_danger.push_back(shown_path(path));
    const bool goes = fields[4] == "D";
    changes.input += fmt::format("{} {}\t{}", goes ? "0" : fields[1], fields[3], path);
    changes.input.push_back('\0');
  }
  if (!in_danger.empty() || changes.input.empty()) return in_danger;
  const PrivateIndex index = TRY(PrivateIndex::take(os_, scratch_, true));
  const Git git(os_, {.git_dir = common_, .index = index.path()});
  TRY(git.must("read a tree", {"read-tree", now}));
  TRY(git.must("change a tree", {"update-index", "-z", "--index-info"}, changes));
  const std::string wanted = TRY(git.line("record a tree", {"write-tree"}));
  TRY(shot.git().must("change the files", {"read-tree", "-m", "-u", now, wanted}));
  return in_danger;
}

Result<std::vector<std::string>> Checkout::ignored_here_alone(const std::string& to) const {
  GitOptions listed;
  listed.environment = {{"GIT_LITERAL_PATHSPECS", "0"}};  // check-ignore does not know them
  listed.input =
      TRY(own().output("list what is ignored", {"ls-files", "-z", "--others", "--ignored",
                                                "--exclude-standard", "--directory"}));
  std::vector<std::string> bared;
  if (listed.input.empty()) return bared;
  const Path exclude = common_ / "info" / "exclude";
  std::vector<std::string> excluded;
  if (TRY(os_.files.exists(exclude)))
    excluded = split_nul(TRY(own().output("list what is excluded",
                                          {"ls-files", "-z", "--others", "--ignored", "--directory",
                                           "--exclude-from=" + exclude.string()})));
  // Four fields for each: the file with the rule, its line, the rule, the path.
  const auto told = split_nul(TRY(own().output(
      "ask why it is ignored", {"check-ignore", "-v", "-z", "--no-index", "--stdin"}, listed)));
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

Status Checkout::set_index(const std::string& treeish) const {
  TRY(must_alone("bring the index along", {"read-tree", "-i", "-m", treeish}));  // flags stay
  TRY(own().run({"update-index", "-q", "--refresh"}));  // its code tells of files that differ
  return {};
}

Status Checkout::set_head(const std::string& branch) const {
  return own().must("check out " + branch,
                    {"symbolic-ref", "-m", "pairflow", "HEAD", "refs/heads/" + branch});
}

Result<Path> checkout_with(Os& os, const Repository& repository, const std::string& branch) {
  Path where = TRY(Git(os, {.git_dir = repository.common})
                       .line("look where a branch is checked out",
                             {"for-each-ref", "--format=%(worktreepath)", "refs/heads/" + branch}));
  // So git calls a worktree apart from its .git.
  return where == repository.common ? repository.top : where;
}

}  // namespace pf
