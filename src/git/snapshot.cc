// How it works. The bubble's files are added to a private index that started from the base commit,
// and the index is written as a tree. The git directory is one made of the rules at the start, so
// neither the worktree's index nor anybody's later configuration has a say; the objects come to the
// main repository at once, in clone mode too.
//
// A kept index remembers which files it held. That must not show: a file that became ignored, came
// back, or turned into a nested repository would give another tree than a fresh index does. Where
// this can be, the snapshot is repeated cold; and an index made under other ignore or attribute
// files than the base's is not kept.

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/changes.h"
#include "git/private_index.h"
#include "git/workspace.h"

namespace pf {
namespace {

constexpr const char* kNestedRepository = "160000";
constexpr int kColdTries = 2;  // a file may vanish under git's hands

struct Taken {
  std::string tree;
  std::vector<ChangedFile> changed;
};

Error cannot_add(const Finished& added) {
  Error error = git_error("add the bubble's files", added);
  error.fix =
      "see that git can read it (a repository within needs a commit), or remove it, or name "
      "it in .gitignore";
  return error;
}

// One snapshot at work.
struct Camera {
  Os& os;
  const WorkspaceSpec& spec;
  GitPlace objects;
  std::string base_tree;

  Git git(const PrivateIndex& index) const {
    GitPlace place = objects;
    place.work_tree = spec.worktree;
    place.index = index.path();
    return Git(os, std::move(place));
  }

  Result<Taken> write(const Git& git) const {
    Taken taken;
    taken.tree = TRY(git.line("record the bubble's files", {"write-tree"}));
    taken.changed = TRY(changes_between(os, objects, base_tree, taken.tree));
    return taken;
  }

  Result<Taken> take(const PrivateIndex& index) const {
    const Git git = this->git(index);
    if (!index.is_warm()) TRY(git.must("read the bubble's base", {"read-tree", spec.base.str()}));
    const auto added = TRY(git.run({"add", "-A"}));
    if (!added.ok()) return std::unexpected(cannot_add(added));
    auto taken = TRY(write(git));
    if (std::ranges::none_of(taken.changed, is_control, &ChangedFile::path)) return taken;
    TRY(git.must("leave out .pairflow", {"reset", "-q", spec.base.str(), "--", ".pairflow"}));
    return write(git);
  }

  // Whether one of the paths is ignored by now.
  Result<bool> any_ignored(const Git& git, const std::vector<const std::string*>& paths) const {
    if (paths.empty()) return false;
    GitOptions options;  // check-ignore knows no literal pathspecs; behind ./ every name is plain
    options.environment = {{"GIT_LITERAL_PATHSPECS", "0"}};
    for (const auto* path : paths) options.input.append("./").append(*path).push_back('\0');
    const auto found = TRY(git.run({"check-ignore", "--no-index", "-z", "--stdin"}, options));
    if (found.code > 1) return std::unexpected(git_error("look for ignored files", found));
    return found.ok();
  }

  // Whether a fresh index could give another tree.
  Result<bool> is_doubtful(const PrivateIndex& index, const Taken& taken) const {
    std::vector<const std::string*> added;
    std::set<Path> directories;
    for (const auto& file : taken.changed) {
      if (is_rule(file)) return true;
      if (file.status == "D") {
        const auto info = TRY(os.files.info(spec.worktree / file.path));
        if (info && info->kind != FileKind::directory) return true;
      }
      if (file.status != "A") continue;
      added.push_back(&file.path);
      for (Path above = Path(file.path).parent_path(); !above.empty(); above = above.parent_path())
        if (!directories.insert(above).second) break;
    }
    for (const auto& directory : directories)
      if (TRY(os.files.exists(spec.worktree / directory / ".git"))) return true;
    return any_ignored(git(index), added);
  }

  static bool is_rule(const ChangedFile& file) {
    const auto name = Path(file.path).filename();
    return name == ".gitignore" || name == ".gitattributes" || file.mode == kNestedRepository;
  }

  Result<Taken> take_warm_or_cold(PrivateIndex& index) const {
    if (index.is_warm()) {
      auto taken = take(index);
      if (taken) {
        const auto doubtful = is_doubtful(index, *taken);
        if (doubtful && !*doubtful) return taken;
      }
    }
    for (int attempt = 1;; ++attempt) {
      TRY(index.clear());
      auto taken = take(index);
      if (taken || attempt == kColdTries) return taken;
    }
  }
};

}  // namespace

Result<TreeFact> Workspace::snapshot(bool cold) {
  TRY(linked());
  const auto known =
      own().output("find the bubble's branch and base",
                   {"rev-parse", branch_ref() + "^{commit}", spec_.base.str() + "^{tree}", "--"});
  if (!known) {
    TRY(tip());
    return std::unexpected(known.error());
  }
  const auto lines = split(*known, '\n');
  if (lines.size() < 2)
    return fail(Exit::machine, "git's answer about the bubble's branch is incomplete", "",
                "run the same command again");
  TreeFact fact;
  fact.tip = CommitId(std::string(lines[0]));
  fact.base_tree = TreeId(std::string(lines[1]));
  const Camera camera{os_, spec_, TRY(objects()), fact.base_tree.str()};
  auto index = TRY(PrivateIndex::take(os_, spec_.index, cold));
  auto taken = TRY(camera.take_warm_or_cold(index));
  if (std::ranges::none_of(taken.changed, Camera::is_rule)) {
    [[maybe_unused]] const auto at_best = index.keep();  // else the next one is cold
  }
  fact.tree = TreeId(std::move(taken.tree));
  fact.changed = std::move(taken.changed);
  for (auto& file : fact.changed) file.path = shown_path(file.path);
  return fact;
}

// git's own index compares whole seconds, in which much can happen.
Result<std::vector<std::string>> Workspace::touched(const TreeId& tree, std::int64_t since) const {
  TRY(check_object_id(tree.str()));
  const Git git(os_, TRY(objects()));
  std::vector<std::string> paths;
  for (const auto& path :
       TRY(git.pieces("list the tree", {"ls-tree", "-r", "-z", "--name-only", tree.str()}))) {
    const auto info = TRY(os_.files.info(spec_.worktree / path));
    if (info && info->changed > since) paths.push_back(shown_path(path));
  }
  return paths;
}

Result<std::vector<std::string>> Workspace::nested(const TreeId& tree) const {
  TRY(check_object_id(tree.str()));
  const Git git(os_, TRY(objects()));
  std::vector<std::string> paths;
  for (const auto& entry : TRY(git.pieces("list the tree", {"ls-tree", "-r", "-z", tree.str()})))
    if (entry.starts_with(kNestedRepository))
      paths.push_back(shown_path(entry.substr(entry.find('\t') + 1)));
  return paths;
}

}  // namespace pf
