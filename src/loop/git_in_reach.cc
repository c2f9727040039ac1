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

// The directory that core.hooksPath names, be it there or not; "" when it names none.
Result<Path> hooks_directory(Os& os, const Path& worktree) {
  const std::string named =
      TRY(ask_git(os, worktree, {"config", "--type=path", "--get", "core.hooksPath"}));
  return trim(named).empty() ? Path() : (worktree / Path(trim(named))).lexically_normal();
}

// Of the hooks, where links lead to: the whole directory, or what of it git does not track.
Result<std::vector<Path>> untracked_hooks(Os& os, const Path& worktree, const Path& writable) {
  const Path named = TRY(hooks_directory(os, worktree));
  if (named.empty()) return {};
  const Path top = TRY(os.files.canonical(worktree));
  const auto real = os.files.canonical(named), reach = os.files.canonical(writable);
  if (!real || !reach || lies_in(top, *real) || !lies_in(*real, *reach)) return {};
  const Path hooks = (writable / real->lexically_relative(*reach)).lexically_normal();
  const Path from_top = real->lexically_relative(top);
  const std::string listed = TRY(ask_git(os, worktree, {"ls-files", "-z", "--", from_top}));
  if (listed.empty()) return std::vector<Path>{hooks};
  std::set<Path> tracked;
  for (const std::string_view path : split(listed, '\0'))
    if (!path.empty()) tracked.insert(hooks / *Path(path).lexically_relative(from_top).begin());
  std::vector<Path> rest;
  for (const Entry& entry : TRY(os.files.list(hooks)))
    if (!tracked.contains(hooks / entry.name)) rest.push_back(hooks / entry.name);
  return rest;
}

// "pre-commit", as git calls them; a helper beside them is called by one of these.
bool is_called_like_a_hook(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return std::ranges::all_of(name, fits) && (name.contains('-') || name == "update");
}

bool is_bare(const std::vector<Entry>& entries) {
  const auto has = [&](std::string_view name, FileKind kind) {
    return std::ranges::any_of(
        entries, [&](const Entry& entry) { return entry.name == name && entry.kind == kind; });
  };
  return has("HEAD", FileKind::file) && has("objects", FileKind::directory) &&
         has("refs", FileKind::directory);
}

struct NestedRepositories {
  std::vector<Path> links;  // each .git, also one that is a link
  std::vector<Path> bare;
};

// Of a directory, sorted.
Result<NestedRepositories> nested_repositories(Os& os, const Path& directory) {
  NestedRepositories found;
  std::vector<Path> waiting = {directory};
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
    if (is_bare(*entries)) found.bare.push_back(here);
    for (const Entry& entry : *entries) {
      if (entry.name == ".git" && here != directory)
        found.links.push_back(here / entry.name);
      else if (entry.name != ".git" && entry.kind == FileKind::directory)
        waiting.push_back(here / entry.name);
    }
  }
  std::ranges::sort(found.links);
  std::ranges::sort(found.bare);
  return found;
}

}  // namespace

Result<GitSeen> see_git(Os& os, const Path& worktree, const Path& writable) {
  auto [links, bare] = TRY(nested_repositories(os, writable));
  GitSeen seen{std::move(links), {}};
  std::ranges::move(bare, std::back_inserter(seen.repositories));
  std::ranges::sort(seen.repositories);
  const Path hooks = TRY(hooks_directory(os, worktree));
  const auto entries = hooks.empty() || !lies_in(hooks, worktree)
                           ? Result<std::vector<Entry>>(std::vector<Entry>())
                           : os.files.list(hooks);
  for (const Entry& entry : entries.value_or(std::vector<Entry>())) {
    const auto there = os.files.canonical(hooks / entry.name);
    const auto info = there ? os.files.info(*there) : std::nullopt;
    if (!is_called_like_a_hook(entry.name) || !info || !*info) continue;
    if ((*info)->kind != FileKind::directory)
      seen.hooks[hooks / entry.name] =
          fmt::format("{} {} {}", (*info)->changed, (*info)->size, there->string());
  }
  return seen;
}

std::vector<std::string> news_of_git(const GitSeen& before, const GitSeen& after) {
  std::vector<std::string> news;
  for (const Path& git : after.repositories)
    if (!std::ranges::binary_search(before.repositories, git))
      news.push_back(
          fmt::format("it left a repository of its own: look at {} before you run git there, which "
                      "runs what that says",
                      printable(git.string())));
  for (const auto& [hook, stamp] : after.hooks)
    if (const auto found = before.hooks.find(hook);
        found == before.hooks.end() || found->second != stamp)
      news.push_back(
          fmt::format("it {} a hook: look at {} before your next git command, which may run it",
                      found == before.hooks.end() ? "left" : "changed", printable(hook.string())));
  return news;
}

Result<GitInReach> git_in_reach(Os& os, const Path& worktree, const Path& writable) {
  GitInReach all{TRY(nested_repositories(os, writable)).links, {}};
  for (Path& hooks : TRY(untracked_hooks(os, worktree, writable)))
    if (TRY(os.files.exists(hooks))) all.sealed.push_back(std::move(hooks));
  if (all.sealed.size() > kMostSealed)
    return fail(Exit::refused,
                fmt::format("there are {} repositories inside {}", all.sealed.size(),
                            printable(writable.string())),
                fmt::format("at most {} can be kept from being changed by an agent", kMostSealed),
                "move them out of the repository, or add [plan] workspace = \"worktree\"");
  all.pinned = directories_between(writable, all.sealed);
  return all;
}

}  // namespace pf
