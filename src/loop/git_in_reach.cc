#include "loop/git_in_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "loop/hidden_places.h"

namespace pf {
namespace {

constexpr std::size_t kMostDirectories = 500'000;  // looked at for repositories
constexpr std::size_t kMostSealed = 500;           // bubblewrap takes 9,000 words

// As the user's own git would see it, but for what it runs by itself.
Result<std::string> ask_git(Os& os, const Path& where, std::vector<std::string> words) {
  Command command{{"git", "-C", where.string(), "-c", "core.fsmonitor=false"}};
  std::ranges::move(words, std::back_inserter(command.argv));
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"})
    command.environment.emplace_back(name, std::nullopt);
  command.timeout = std::chrono::seconds(60);
  const auto finished = TRY(os.processes.run(command));
  return finished.ok() ? finished.out : "";
}

// Of the directory that core.hooksPath names: all of it, or what of it git does not track.
Result<std::vector<Path>> untracked_hooks(Os& os, const Path& worktree, const Path& writable) {
  const std::string named =
      TRY(ask_git(os, worktree, {"config", "--type=path", "--get", "core.hooksPath"}));
  const Path hooks = (worktree / Path(trim(named))).lexically_normal();
  if (trim(named).empty() || hooks == worktree || !lies_in(hooks, writable)) return {};
  const std::string listed =
      TRY(ask_git(os, worktree, {"ls-files", "-z", "--", hooks.lexically_relative(worktree)}));
  if (listed.empty()) return std::vector<Path>{hooks};
  std::set<Path> tracked;
  for (const std::string_view path : split(listed, '\0'))
    if (!path.empty()) tracked.insert(hooks / *(worktree / path).lexically_relative(hooks).begin());
  std::vector<Path> rest;
  for (const Entry& entry : TRY(os.files.list(hooks)))
    if (!tracked.contains(hooks / entry.name)) rest.push_back(hooks / entry.name);
  return rest;
}

}  // namespace

Result<std::vector<Path>> nested_repositories(Os& os, const Path& directory) {
  std::vector<Path> found, waiting = {directory};
  for (std::size_t seen = 0; !waiting.empty(); ++seen) {
    if (seen == kMostDirectories)
      return fail(Exit::refused,
                  fmt::format("there are more than {} directories in {}", kMostDirectories,
                              printable(directory.string())),
                  "no more are looked at for repositories that an agent must not change",
                  "remove what is not needed there, or add [plan] workspace = \"worktree\"");
    const Path here = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = os.files.list(here);
    if (!entries) continue;  // gone, or not for us: then not for the agent either
    for (const Entry& entry : *entries) {
      if (entry.name == ".git" && here != directory)
        found.push_back(here / entry.name);
      else if (entry.name != ".git" && entry.kind == FileKind::directory)
        waiting.push_back(here / entry.name);
    }
  }
  std::ranges::sort(found);
  return found;
}

Result<GitInReach> git_in_reach(Os& os, const Path& worktree, const Path& writable) {
  GitInReach all{TRY(nested_repositories(os, writable)), {}};
  for (Path& hooks : TRY(untracked_hooks(os, worktree, writable)))
    if (TRY(os.files.exists(hooks))) all.sealed.push_back(std::move(hooks));
  if (all.sealed.size() > kMostSealed)
    return fail(Exit::refused,
                fmt::format("there are {} repositories inside {}", all.sealed.size(),
                            printable(writable.string())),
                fmt::format("at most {} can be kept from being changed by an agent", kMostSealed),
                "move them out of the repository, or add [plan] workspace = \"worktree\"");
  std::set<Path> between;
  for (const Path& sealed : all.sealed)
    for (Path up = sealed.parent_path(); up != writable && up.has_relative_path();
         up = up.parent_path())
      between.insert(up);
  all.pinned.assign(between.begin(), between.end());
  return all;
}

}  // namespace pf
