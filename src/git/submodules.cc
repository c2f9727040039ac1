// How it works. Neither the submodule's own configuration nor anything in the checkout has a say in
// where objects are looked for: a name of the tree's .gitmodules leads to a store in the user's git
// directory, which agents cannot write, and only when that has the recorded commit. The files are
// then written like those of any tree, by rules read from that store.
#include "git/submodules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "git/changes.h"
#include "git/taking.h"

namespace pf {
namespace {

constexpr std::string_view kSubmoduleMode = "160000 ";
constexpr int kMaxDepth = 8;  // submodules of submodules

// A store's configuration names a worktree, which may be gone.
Git reading(Os& os, const Path& git_dir) {
  return Git(os, {.git_dir = git_dir, .work_tree = git_dir});
}

// As git itself wants it: the name becomes a part of a path.
bool is_submodule_name(std::string_view name) {
  if (name.empty() || name.starts_with('/') || name.contains('\0')) return false;
  const auto parts = split(name, '/');
  return std::ranges::none_of(
      parts, [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
}

// Names by path, as .gitmodules of the tree has them; none when it cannot be read.
Result<std::map<std::string, std::string>> names_of(const Git& git, const std::string& tree) {
  const auto listed = TRY(git.run({"config", "-z", "--blob", tree + ":.gitmodules", "--get-regexp",
                                   "^submodule\\..*\\.path$"}));
  std::map<std::string, std::string> names;
  if (!listed.ok()) return names;
  constexpr std::string_view kFirst = "submodule.", kLast = ".path";
  for (const std::string& entry : split_nul(listed.out)) {
    const auto end = entry.find('\n');
    if (end == std::string::npos || end < kFirst.size() + kLast.size()) continue;
    const std::string name = entry.substr(kFirst.size(), end - kFirst.size() - kLast.size());
    if (is_submodule_name(name)) names.emplace(entry.substr(end + 1), name);
  }
  return names;
}

// Makes the directory below `checkout` without following what stands in its way.
Status make_place(Os& os, const Path& checkout, const Path& path) {
  Path at = checkout;
  for (const Path& part : path) {
    at /= part;
    const auto info = TRY(os.files.info(at));
    if (info && info->kind != FileKind::directory) TRY(os.files.remove(at));
  }
  return os.files.make_directories(checkout / path);
}

// Says the paths that are not as in the index, whose entries know nothing of the files yet.
constexpr const char* kCompareSubmodule = R"sh(set -e
git update-index -q --refresh --ignore-submodules || :
git diff-files -z --name-only --no-renames --ignore-submodules=all
git ls-files -z --others --exclude-standard
)sh";

Result<std::vector<std::string>> changed_files(Os& os, const Repository& repository,
                                               const Submodule& submodule, const Path& directory,
                                               const Path& scratch) {
  const Repository store{repository.top, submodule.store};
  PrivateIndex index = TRY(PrivateIndex::take(os, scratch, true));
  const Taking taking(os, TRY(taking_now(os, store, directory, submodule.commit, index)), index);
  const Git git = taking.git();
  GitPlace without_files = git.place();
  without_files.work_tree.clear();
  without_files.cell.reset();
  TRY(Git(os, std::move(without_files))
          .must("read the submodule's commit", {"read-tree", submodule.commit}));
  const Finished compared = TRY(git.run_script(kCompareSubmodule, {}));
  if (!compared.ok()) return std::unexpected(git_error("compare a submodule's files", compared));
  auto paths = split_nul(compared.out);
  std::erase_if(paths, [](const std::string& path) { return path == ".git" || path == ".git/"; });
  return paths;
}

struct Filling {
  Os& os;
  Path top;  // of the user's repository
  Path checkout;
  Path scratch;
  std::vector<std::string> missing = {};

  Status fill(const Submodule& submodule, const Path& at, int depth) {
    TRY(make_place(os, checkout, at));
    if (submodule.store.empty() || depth == kMaxDepth) {
      missing.push_back(at.string());
      return {};
    }
    TRY(write_files(submodule, at));
    const Repository store{top, submodule.store};
    for (const Submodule& within : TRY(submodules_of(os, store, submodule.commit)))
      TRY(fill(within, at / within.path, depth + 1));
    return {};
  }

  Status write_files(const Submodule& submodule, const Path& at) const {
    const Repository store{top, submodule.store};
    PrivateIndex index = TRY(PrivateIndex::take(os, scratch, true));
    const Path directory = checkout / at;
    const Taking taking(os, TRY(taking_now(os, store, directory, submodule.commit, index)), index);
    GitPlace place = taking.git(checkout).place();
    if (place.cell) place.cell->sealed.push_back(checkout / ".git");
    return Git(os, std::move(place))
        .must(fmt::format("check out the submodule {}", printable(at.string())),
              {"read-tree", "-u", "--reset", submodule.commit});
  }
};

}  // namespace

Result<std::vector<Submodule>> submodules_of(Os& os, const Repository& repository,
                                             const std::string& tree) {
  TRY(check_object_id(tree));
  const Git git = reading(os, repository.common);
  std::vector<Submodule> all;
  for (const std::string& entry : TRY(git.pieces("list the tree", {"ls-tree", "-r", "-z", tree}))) {
    const auto tab = entry.find('\t');
    if (!entry.starts_with(kSubmoduleMode) || tab == std::string::npos) continue;
    const auto fields = split(std::string_view(entry).substr(0, tab), ' ');
    if (fields.size() == 3) all.push_back({entry.substr(tab + 1), std::string(fields[2])});
  }
  if (all.empty()) return all;
  const auto names = TRY(names_of(git, tree));
  for (Submodule& submodule : all) {
    const auto name = names.find(submodule.path);
    if (name == names.end()) continue;
    const Path store = repository.common / "modules" / name->second;
    if (!TRY(os.files.exists(store / "HEAD"))) continue;
    if (TRY(reading(os, store).run({"cat-file", "-e", submodule.commit + "^{tree}"})).ok())
      submodule.store = store;
  }
  return all;
}

Result<std::vector<std::string>> fill_submodule(Os& os, const Repository& repository,
                                                const Submodule& submodule, const Path& checkout,
                                                const Path& scratch) {
  Filling filling{os, repository.top, checkout, scratch};
  TRY(filling.fill(submodule, submodule.path, 0));
  return std::move(filling.missing);
}

Result<std::vector<std::string>> fill_submodules(Os& os, const Repository& repository,
                                                 const std::string& tree, const Path& checkout,
                                                 const Path& scratch) {
  std::vector<std::string> missing;
  for (const Submodule& submodule : TRY(submodules_of(os, repository, tree)))
    for (std::string& path : TRY(fill_submodule(os, repository, submodule, checkout, scratch)))
      missing.push_back(std::move(path));
  return missing;
}

Status bring_submodules(Os& os, const Repository& repository, const std::string& tree,
                        const Path& checkout, const Path& scratch) {
  for (const Submodule& submodule : TRY(submodules_of(os, repository, tree))) {
    TRY(make_place(os, checkout, submodule.path));
    const Path directory = checkout / submodule.path;
    const bool is_empty = TRY(os.files.list(directory)).empty();
    const bool as_recorded =
        !is_empty && !submodule.store.empty() &&
        TRY(changed_files(os, repository, submodule, directory, scratch)).empty();
    if (as_recorded) continue;
    TRY(os.files.remove_all(directory));
    TRY(fill_submodule(os, repository, submodule, checkout, scratch));
  }
  return {};
}

Result<std::vector<SubmoduleFiles>> changed_submodules(Os& os, const Repository& repository,
                                                       const std::string& tree,
                                                       const Path& checkout, const Path& scratch) {
  std::vector<SubmoduleFiles> all;
  for (const Submodule& submodule : TRY(submodules_of(os, repository, tree))) {
    const Path directory = checkout / submodule.path;
    const auto info = TRY(os.files.info(directory));
    if (!info || info->kind != FileKind::directory || TRY(os.files.list(directory)).empty())
      continue;
    SubmoduleFiles files{shown_path(submodule.path)};
    files.unknown = submodule.store.empty();
    if (!files.unknown)
      for (const std::string& path :
           TRY(changed_files(os, repository, submodule, directory, scratch)))
        files.changed.push_back(shown_path(path));
    if (files.unknown || !files.changed.empty()) all.push_back(std::move(files));
  }
  return all;
}

Result<std::vector<std::string>> submodule_notes(Os& os, const Repository& repository,
                                                 const std::string& tree, const Path& checkout,
                                                 const Path& scratch) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> notes;
  for (const SubmoduleFiles& one : TRY(changed_submodules(os, repository, tree, checkout, scratch)))
    notes.push_back(
        one.unknown
            ? fmt::format("{} (cannot be compared: its recorded commit is not on this machine)",
                          one.path)
            : fmt::format("{}: {}", one.path, name_some(one.changed, kNamed)));
  return notes;
}

}  // namespace pf
