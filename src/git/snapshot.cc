// How it works. The bubble's files are added to a private index that started from the base commit,
// and the index is written as a tree (git/taking). The git directory is one made of the rules at
// the start, so neither the worktree's index nor anybody's later configuration has a say; the
// objects come to the main repository at once, in clone mode too.
//
// A kept index remembers which files it held. That must not show: a file that became ignored, came
// back, or turned into a nested repository would give another tree than a fresh index does. Where
// this can be, the snapshot is repeated cold; and an index made under other ignore or attribute
// files than the base's is not kept.

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/changes.h"
#include "git/taking.h"
#include "git/workspace.h"

namespace pf {
namespace {

constexpr const char* kNestedRepository = "160000";
constexpr int kColdTries = 2;  // a file may vanish under git's hands

struct Taken {
  std::string tree;
  std::vector<ChangedFile> changed;
};

// One snapshot at work.
struct Camera {
  Os& os;
  const WorkspaceSpec& spec;
  const GitPlace& rules;
  std::string base_tree;

  Result<Taken> take(Taking& taking) const {
    TRY(taking.begin());
    Taken taken;
    taken.tree = TRY(taking.take());
    taken.changed = TRY(changes_between(os, rules, base_tree, taken.tree));
    return taken;
  }

  // Whether a fresh index could give another tree.
  Result<bool> is_doubtful(const Taking& taking, const Taken& taken) const {
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
    return taking.any_ignored(added);
  }

  static bool is_rule(const ChangedFile& file) {
    const auto name = Path(file.path).filename();
    return name == ".gitignore" || name == ".gitattributes" || file.mode == kNestedRepository;
  }

  Result<Taken> take_warm_or_cold(Taking& taking, PrivateIndex& index) const {
    if (index.is_warm()) {
      auto taken = take(taking);
      if (is_final(taken)) return taken;
      if (taken) {
        const auto doubtful = is_doubtful(taking, *taken);
        if (doubtful && !*doubtful) return taken;
      }
    }
    for (int attempt = 1;; ++attempt) {
      TRY(index.clear());
      auto taken = take(taking);
      if (taken || attempt == kColdTries || is_final(taken)) return taken;
    }
  }

  // What trying again does not change.
  static bool is_final(const Result<Taken>& taken) {
    return !taken && taken.error().exit == Exit::refused;
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
  auto index = TRY(PrivateIndex::take(os_, spec_.index, cold));
  const TakingSpec spec = TRY(this->taking(spec_.worktree, spec_.base.str(), index));
  const GitPlace& rules = spec.rules;
  Taking taking(os_, spec, index);
  const Camera camera{os_, spec_, rules, fact.base_tree.str()};
  auto taken = TRY(camera.take_warm_or_cold(taking, index));
  if (std::ranges::none_of(taken.changed, Camera::is_rule)) {
    [[maybe_unused]] const auto at_best = taking.keep();  // else the next one is cold
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
