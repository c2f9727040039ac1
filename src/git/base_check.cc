#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "git/changes.h"
#include "git/git.h"
#include "git/large_files.h"
#include "git/promised.h"
#include "git/repository.h"
#include "git/submodules.h"
#include "git/taking.h"

namespace pf {
namespace {

constexpr std::string_view kHeads = "refs/heads/";

using Refs = std::map<std::string, std::string, std::less<>>;  // full name → object

// "origin/main" for "main" when a remote has it.
std::optional<std::string> remote_branch(const Refs& refs, const std::string& branch) {
  constexpr std::string_view kRemotes = "refs/remotes/";
  for (const auto& [name, object] : refs) {
    if (!name.starts_with(kRemotes)) continue;
    auto short_name = name.substr(kRemotes.size());
    if (short_name == branch || short_name.ends_with("/" + branch)) return short_name;
  }
  return std::nullopt;
}

std::unexpected<Error> no_such_base(const Refs& refs, const std::string& branch) {
  const auto shown = printable(clip(branch, 120));
  if (const auto remote = remote_branch(refs, branch)) {
    const auto local = remote == branch ? branch.substr(branch.find('/') + 1) : branch;
    return fail(Exit::refused, fmt::format("there is no local branch '{}'", shown),
                fmt::format("only the remote branch '{}' exists", *remote),
                refs.contains(ref_of_branch(local))
                    ? fmt::format("use --base {}", local)
                    : fmt::format("git branch {} {}", local, *remote));
  }
  std::vector<std::string_view> names;
  for (const auto& [name, object] : refs)
    if (name.starts_with(kHeads)) names.push_back(std::string_view(name).substr(kHeads.size()));
  const auto near = nearest(branch, names);
  return fail(Exit::refused, fmt::format("there is no branch '{}'", shown),
              "a bubble starts from a local branch",
              near.empty() ? "git branch --list shows the branches there are"
                           : fmt::format("did you mean '{}'?", near));
}

Status refuse_taken(const Refs& refs, const std::string& branch) {
  const auto full = ref_of_branch(branch);
  if (refs.contains(full))
    return fail(Exit::refused, fmt::format("the branch '{}' exists already", branch),
                "it was not made by this bubble",
                "choose another id, or delete the branch if nobody needs it");
  for (const auto& [name, object] : refs) {
    if (!name.starts_with(kHeads)) continue;
    if (!name.starts_with(full + "/") && !full.starts_with(name + "/")) continue;
    const auto other = name.substr(kHeads.size());
    return fail(Exit::refused, fmt::format("git cannot make the branch '{}'", branch),
                fmt::format("the branch '{}' is in its way", other),
                fmt::format("git branch -m {} <other-name>", other));
  }
  return {};
}

// How many paths `git status` shows, ours left out.
Result<int> count_uncommitted(Os& os, const Repository& repository) {
  const auto entries = TRY(status_of(
      os, repository, {.git_dir = repository.common, .work_tree = repository.top}, "normal"));
  return static_cast<int>(std::ranges::count_if(entries, [](std::string_view entry) {
    return !is_control(entry.substr(std::min<std::size_t>(3, entry.size())));
  }));
}

// Of the tree's submodules and large files.
Result<std::vector<std::string>> what_is_not_here(Os& os, const Repository& repository,
                                                  const std::string& tree) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> warnings, empty;
  for (const Submodule& submodule : TRY(submodules_of(os, repository, tree)))
    if (submodule.store.empty()) empty.push_back(shown_path(submodule.path));
  if (!empty.empty())
    warnings.push_back(
        fmt::format("submodules whose commit is not on this machine stay empty directories: {}; "
                    "git submodule update --init fetches them",
                    printable(name_some(empty, kNamed))));
  const GitPlace here{.git_dir = repository.common};
  if (TRY(filters_of(os, here, repository, tree)) == Filters::none ||
      TRY(is_partial_clone(os, repository)))  // each look would fetch
    return warnings;
  const Git git(os, here);
  const auto pointers = TRY(missing_large_files(git, TRY(large_file_store(git, repository)), tree));
  if (!pointers.empty())
    warnings.push_back(
        fmt::format("large files whose content is not on this machine stay pointers: {}; "
                    "git lfs fetch fetches them",
                    printable(name_some(pointers, kNamed))));
  return warnings;
}

constexpr std::size_t kExcludeBytes = 8u << 20;

bool excludes_control_directory(std::string_view text) {
  return std::ranges::any_of(split(text, '\n'), [](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line == ".pairflow/" || line == ".pairflow" || line == "/.pairflow/" ||
           line == "/.pairflow";
  });
}

}  // namespace

Result<BaseCheck> check_base(Os& os, const Repository& repository, const std::string& base_branch,
                             const std::string& bubble_branch) {
  const Git git(os, {.git_dir = repository.common});
  const auto refs = TRY(git.refs("list the branches", {"refs/heads/", "refs/remotes/"}));
  const auto base = refs.find(ref_of_branch(base_branch));
  if (base == refs.end()) {
    if (refs.empty() && !TRY(git.run({"rev-parse", "-q", "--verify", "HEAD^{commit}"})).ok())
      return fail(Exit::refused, fmt::format("{} has no commits yet", repository.top.string()),
                  "a bubble needs a commit to start from", "git add -A && git commit");
    return no_such_base(refs, base_branch);
  }
  TRY(refuse_taken(refs, bubble_branch));
  BaseCheck check{CommitId(base->second), {}, {}};
  check.tree =
      TreeId(TRY(git.line("read the base's tree", {"rev-parse", base->second + "^{tree}"})));
  if (const int dirty = TRY(count_uncommitted(os, repository)); dirty > 0)
    check.warnings.push_back(fmt::format(
        "{} has {} uncommitted {}: they are not part of the bubble, which starts from "
        "the last commit of '{}'",
        repository.top.string(), dirty, dirty == 1 ? "change" : "changes", base_branch));
  for (std::string& warning : TRY(what_is_not_here(os, repository, check.tree.str())))
    check.warnings.push_back(std::move(warning));
  return check;
}

Status exclude_control_directory(Os& os, const Repository& repository) {
  const Path info = repository.common / "info";
  const Path exclude = info / "exclude";
  const auto text = TRY(os.files.read_if_there(exclude, kExcludeBytes)).value_or("");
  if (excludes_control_directory(text)) return {};
  TRY(os.files.make_directories(info));
  const std::string line = text.empty() || text.ends_with('\n') ? ".pairflow/\n" : "\n.pairflow/\n";
  const auto file = TRY(os.files.open(exclude, Open::create));
  const auto written = TRY(file->write_at(text.size(), line));
  if (written == line.size()) return {};
  TRY(file->truncate(text.size()));
  return fail(Exit::machine, fmt::format("cannot add a line to {}", exclude.string()),
              "the disk is full", "make room and run the command again");
}

}  // namespace pf
