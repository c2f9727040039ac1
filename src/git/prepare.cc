// How it works. The ref refs/pairflow/<id>/base is set before anything else, and a file in the
// worktree's git directory when all is done. Between the two, whatever is registered at the
// bubble's path was made by us and never handed out, so it is made again from scratch; after the
// second, nothing is touched any more. A clone is made beside its place as <id>.part and renamed
// when complete, so a clone that is there is whole. It shares no object file with the user's
// repository.
#include <fmt/format.h>

#include "git/filters.h"
#include "git/include_files.h"
#include "git/promised.h"
#include "git/submodules.h"
#include "git/taking.h"
#include "git/workspace.h"

namespace pf {
namespace {

constexpr const char* kBaseRef = "base";

bool is_checked_out_elsewhere(const Finished& finished) {
  return finished.err.find("already checked out") != std::string::npos ||
         finished.err.find("already used by worktree") != std::string::npos;
}

// What decides who commits and how files are converted; the rest stays the clone's own.
constexpr const char* kInherited =
    "^(user|author|committer|filter|lfs)\\.|^core\\.(autocrlf|eol|excludesfile|attributesfile)$";

Result<Git::Words> inherited_settings(const Git& main) {
  const auto found = TRY(main.run({"config", "--local", "-z", "--get-regexp", kInherited}));
  if (found.code > 1) return std::unexpected(git_error("read git's configuration", found));
  Git::Words words;
  for (const auto& entry : split_nul(found.out)) {
    const auto newline = entry.find('\n');
    words.emplace_back("-c");
    words.push_back(newline == std::string::npos ? entry
                                                 : fmt::format("{}={}", entry.substr(0, newline),
                                                               entry.substr(newline + 1)));
  }
  return words;
}

Status copy_rules(Os& os, const Path& from, const Path& to) {
  TRY(os.files.make_directories(to / "info"));
  for (const auto* name : {"info/exclude", "info/attributes"})
    if (const auto bytes = TRY(os.files.read_if_there(from / name)))
      TRY(os.files.replace(to / name, *bytes, Durable::no));
  return {};
}

}  // namespace

Result<bool> Workspace::begun() const {
  return TRY(main().ref(own_ref(kBaseRef))) == spec_.base.str();
}

Result<bool> Workspace::has_base() const {
  return TRY(main().run({"cat-file", "-e", spec_.base.str() + "^{commit}"})).ok();
}

Status Workspace::refuse_foreign(const Link& link) const {
  const bool made_by_us = spec_.mode == WorkMode::clone || link.ready || TRY(begun());
  const bool claimed = link.site == Site::ours || !link.git_dir.empty();
  if (link.site == Site::foreign || (claimed && !made_by_us))
    return fail(
        Exit::refused, fmt::format("{} is taken", spec_.worktree.string()),
        "something that pairflow did not make stands where the bubble's files go",
        "move it away ('git worktree prune' when only its registration is left) and run the "
        "command again");
  const auto at = TRY(main().ref(branch_ref()));
  if (!at || *at == spec_.base.str() || claimed) return {};
  return fail(Exit::refused, fmt::format("the branch '{}' exists already", spec_.branch),
              fmt::format("it is at {}, not at the bubble's base {}", *at, spec_.base.str()),
              fmt::format("git branch -m {} <other-name>", spec_.branch));
}

Status Workspace::make_branch() {
  if (TRY(main().ref(branch_ref()))) return {};
  auto made = main().set_ref(branch_ref(), spec_.base.str(), "");
  if (!made && TRY(main().ref(branch_ref())) == spec_.base.str()) return {};
  return made;
}

Result<std::vector<std::string>> Workspace::write_files(const std::string& tree,
                                                        const Path& directory) {
  TRY(check_object_id(tree));
  TRY(fetch_promised(os_, spec_.repository, tree));
  PrivateIndex index = TRY(PrivateIndex::take(os_, Path(spec_.index) += ".checkout", true));
  const Taking taking(os_, TRY(this->taking(directory, tree, index)), index);
  TRY(taking.git(directory).must("check out the tree", {"read-tree", "-u", "--reset", tree}));
  const Git objects(os_, TRY(this->objects()));
  return objects.pieces("list the tree", {"ls-tree", "-r", "-z", "--name-only", tree});
}

Status Workspace::check_out(const TreeId& tree, const Path& directory) {
  TRY(os_.files.remove_all(directory));
  TRY(os_.files.make_directories(directory));
  const auto tracked = TRY(write_files(tree.str(), directory));
  TRY(fill_submodules(os_, spec_.repository, tree.str(), directory,
                      Path(spec_.index) += ".submodule"));
  return copy_included(os_, spec_.repository, tracked, directory);
}

// The main repository has the tree's objects, in clone mode too; only files come from it.
Status Workspace::fill(const Path& git_dir, const Path& directory) {
  const Git git(os_, {.git_dir = git_dir, .work_tree = directory});
  const std::string head = TRY(git.line("find the bubble's commit", {"rev-parse", "HEAD"}));
  const std::string tree = spec_.tree ? spec_.tree->str() : head;
  const auto tracked = TRY(write_files(tree, directory));
  TRY(fill_submodules(os_, spec_.repository, tree, directory, Path(spec_.index) += ".submodule"));
  TRY(git.must("fill the worktree's index", {"read-tree", head}));
  TRY(refresh_plain(git));
  return copy_included(os_, spec_.repository, tracked, directory);
}

Status Workspace::make_worktree(const Link& link) {
  if (link.ready && link.site == Site::unlinked) return relink(os_, spec_, link.git_dir);
  if (link.ready && link.site == Site::ours) return {};
  if (link.site != Site::absent) TRY(os_.files.remove_all(spec_.worktree));
  if (!link.git_dir.empty()) TRY(os_.files.remove_all(link.git_dir));
  const auto added =
      TRY(main().run({"worktree", "add", "--no-checkout", "-q", spec_.worktree, spec_.branch}));
  if (!added.ok()) {
    Error error = git_error(fmt::format("make the worktree {}", spec_.worktree.string()), added);
    if (is_checked_out_elsewhere(added)) {
      error.exit = Exit::refused;
      error.fix = "check out another branch there and run the command again";
    }
    return std::unexpected(std::move(error));
  }
  const Link made = TRY(inspect(os_, spec_));
  if (made.site != Site::ours)
    return fail(Exit::machine,
                fmt::format("{} vanished while it was made", spec_.worktree.string()),
                "something else removed or replaced it", "run the command again");
  TRY(fill(made.git_dir, spec_.worktree));
  return mark_ready(os_, made.git_dir);
}

Status Workspace::make_clone(const Link& link) {
  if (link.site == Site::ours) return {};
  const Path part = Path(spec_.worktree) += ".part";
  TRY(os_.files.remove_all(part));
  Git::Words words = {
      "clone",          "-q",          "--no-checkout",
      "--no-hardlinks", "--template=", "--branch",
      spec_.branch,     "-c",          "remote.origin.pushurl=/dev/null/bubbles-do-not-push"};
  for (auto& word : TRY(inherited_settings(main()))) words.push_back(std::move(word));
  words.insert(words.end(), {"--", spec_.repository.common, part});
  TRY(Git(os_, {.git_dir = {}}).must("clone the repository", words));

  const Path git_dir = part / ".git";
  TRY(copy_rules(os_, spec_.repository.common, git_dir));
  TRY(os_.files.replace(git_dir / kCloneSource, spec_.repository.top.string() + "\n",
                        Durable::yes));
  TRY(fill(git_dir, part));
  TRY(mark_ready(os_, git_dir));
  if (link.site == Site::absent) TRY(os_.files.remove_all(spec_.worktree));
  TRY(os_.files.rename(part, spec_.worktree));
  return os_.files.sync_directory(spec_.worktree.parent_path());
}

Status Workspace::prepare() {
  const Link link = TRY(inspect(os_, spec_));
  TRY(refuse_foreign(link));
  if (!link.ready || link.site != Site::ours)
    TRY(refuse_unconfined_filters(os_, spec_.repository, spec_.base.str(),
                                  Path(spec_.index) += ".filters"));
  TRY(main().set_ref(own_ref(kBaseRef), spec_.base.str()));
  TRY(make_branch());
  TRY(os_.files.make_directories(spec_.worktree.parent_path()));
  return spec_.mode == WorkMode::clone ? make_clone(link) : make_worktree(link);
}

Status Workspace::remove_branch() {
  const auto text =
      TRY(main().line("look at the bubble's branch",
                      {"for-each-ref", "--format=%(objectname) %(worktreepath)", branch_ref()}));
  if (text == spec_.base.str() + " ")
    TRY(main().must(fmt::format("delete the branch '{}'", spec_.branch),
                    {"update-ref", "-d", branch_ref(), spec_.base.str()}));
  return main().must("forget the bubble's base", {"update-ref", "-d", own_ref(kBaseRef)});
}

Status Workspace::unprepare() {
  const Link link = TRY(inspect(os_, spec_));
  const bool made_by_us = link.ready || spec_.mode == WorkMode::clone || TRY(begun());
  if (made_by_us && link.site != Site::foreign) {
    if (link.ready && link.site == Site::unlinked) TRY(relink(os_, spec_, link.git_dir));
    if (link.ready && link.site != Site::absent) TRY(refuse_unsaved(link.git_dir));
    if (link.site != Site::absent) TRY(os_.files.remove_all(spec_.worktree));
    if (!link.git_dir.empty() && spec_.mode == WorkMode::worktree)
      TRY(os_.files.remove_all(link.git_dir));
  }
  if (spec_.mode == WorkMode::clone) TRY(os_.files.remove_all(Path(spec_.worktree) += ".part"));
  return remove_branch();
}

}  // namespace pf
