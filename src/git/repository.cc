// How it works. `bubble status` may cost no more than a few process starts, so the usual layouts
// are read by hand: a `.git` directory, or a `.git` file that names a git directory, whose
// `commondir` file (only a linked worktree has one) names the shared one. A configuration that
// sets core.bare or core.worktree is left to git.
#include "git/repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "git/git.h"

namespace pf {
namespace {

constexpr std::size_t kConfigBytes = 8u << 20;

// A directory with a repository: `top` is empty when only the git directory is known.
struct Found {
  Path top;
  Path git_dir;
};

Result<bool> is_git_dir(Os& os, const Path& path) {
  if (!TRY(os.files.exists(path / "HEAD"))) return false;
  if (TRY(os.files.exists(path / "commondir"))) return true;
  return TRY(os.files.exists(path / "objects")) && TRY(os.files.exists(path / "refs"));
}

std::unexpected<Error> gone(const Path& worktree, const Path& git_dir) {
  return fail(Exit::refused,
              fmt::format("{} belongs to a repository that is gone", worktree.string()),
              fmt::format("there is no git directory at {}", git_dir.string()),
              "run the command in the repository itself, or name it with --repo");
}

Result<std::optional<Found>> look_at(Os& os, const Path& directory) {
  Path git = directory / ".git";
  auto info = TRY(os.files.info(git));
  if (info && info->kind == FileKind::symlink) {
    git = TRY(os.files.canonical(git));
    info = TRY(os.files.info(git));
  }
  if (info && info->kind == FileKind::directory && TRY(is_git_dir(os, git)))
    return Found{directory, git};
  if (info && info->kind == FileKind::file) {
    const auto text = TRY(os.files.read(git, kPointerBytes));
    const auto named = pointer(text, "gitdir: ", directory);
    if (!named || !TRY(is_git_dir(os, *named))) return gone(directory, named.value_or(git));
    return Found{directory, TRY(os.files.canonical(*named))};
  }
  if (TRY(is_git_dir(os, directory))) return Found{{}, directory};
  return std::nullopt;
}

// Whether the configuration says nothing about where the worktree is.
bool is_plain(std::string_view config) {
  return std::ranges::none_of(split(config, '\n'), [](std::string_view line) {
    const auto equals = line.find('=');
    const std::string key = lower(trim(line.substr(0, equals)));
    if (key.ends_with("worktree")) return true;
    if (!key.ends_with("bare")) return false;
    return equals == std::string_view::npos || trim(line.substr(equals + 1)) != "false";
  });
}

Result<std::string> setting(const Git& git, const Git::Words& words) {
  const auto finished = TRY(git.run(words));
  if (finished.code > 1) return std::unexpected(git_error("read git's configuration", finished));
  return std::string(trim(finished.out));
}

// The main worktree of a git directory, when `guess` is where it would be by layout.
Result<Path> main_worktree(Os& os, const Path& common, const Path& guess) {
  const auto config = TRY(os.files.read_if_there(common / "config", kConfigBytes));
  if (!guess.empty() && (!config || is_plain(*config))) return guess;
  const Git git(os, {.git_dir = common});
  const auto named = TRY(setting(git, {"config", "--get", "core.worktree"}));
  if (!named.empty()) return TRY(os.files.canonical(common / Path(named)));
  if (TRY(setting(git, {"config", "--type=bool", "--get", "core.bare"})) == "true")
    return fail(Exit::refused, fmt::format("{} is a bare repository", common.string()),
                "a bubble is based on a repository with a checkout",
                fmt::format("git clone {} <directory>, and run pairflow there", common.string()));
  if (!guess.empty()) return guess;
  return fail(Exit::refused, fmt::format("cannot tell the main worktree of {}", common.string()),
              "its git directory is kept apart from its files",
              "run the command in the main worktree, or name it with --repo");
}

Result<Repository> repository_at(Os& os, const Found& site) {
  const auto shared = TRY(os.files.read_if_there(site.git_dir / "commondir", kPointerBytes));
  if (!shared) {
    const bool inside = site.top.empty() && site.git_dir.filename() == ".git";
    return Repository{
        TRY(main_worktree(os, site.git_dir, inside ? site.git_dir.parent_path() : site.top)),
        site.git_dir};
  }
  const auto named = pointer(*shared, "", site.git_dir);
  if (!named || !TRY(is_git_dir(os, *named)))
    return gone(site.top.empty() ? site.git_dir : site.top, named.value_or(site.git_dir));
  const Path common = TRY(os.files.canonical(*named));
  const Path guess = common.filename() == ".git" ? common.parent_path() : Path();
  return Repository{TRY(main_worktree(os, common, guess)), common};
}

Result<std::optional<Found>> find_git(Os& os, const Path& from) {
  for (Path directory = from;; directory = directory.parent_path()) {
    if (auto site = TRY(look_at(os, directory))) return site;
    if (directory == directory.parent_path()) return std::nullopt;
  }
}

std::unexpected<Error> in_no_repository(const Path& from) {
  return fail(Exit::refused, fmt::format("{} is not in a git repository", from.string()),
              "neither it nor a directory above it has a .git",
              "run 'git init' there, or name the repository with --repo");
}

// Such a name reaches terminals, pointers of git's and launch plans, and breaks each of them.
Status check_name(const Path& top) {
  const std::string text = top.string();
  if (std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; })) return {};
  return fail(Exit::refused, fmt::format("the path '{}' cannot be used", printable(text)),
              "it has control characters in it", "rename the directory");
}

}  // namespace

std::optional<Path> pointer(std::string_view text, std::string_view prefix, const Path& base) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  return (base / Path(text)).lexically_normal();
}

Result<std::optional<std::string>> checked_out_branch(Os& os, const Path& from) {
  const Path start = TRY(os.files.canonical(from));
  const auto site = TRY(find_git(os, start));
  if (!site) return in_no_repository(start);
  const std::string head = TRY(os.files.read(site->git_dir / "HEAD", kPointerBytes));
  constexpr std::string_view kBranch = "ref: refs/heads/";
  const std::string_view line = trim(head);
  if (!line.starts_with(kBranch)) return std::nullopt;
  return std::string(line.substr(kBranch.size()));
}

Result<Repository> find_repository(Os& os, const Path& from) {
  if (!TRY(os.files.exists(from)))
    return fail(Exit::refused, fmt::format("there is no {}", printable(from.string())),
                "a repository was looked for there", "name an existing directory with --repo");
  const Path start = TRY(os.files.canonical(from));
  const auto site = TRY(find_git(os, start));
  if (!site) return in_no_repository(start);
  TRY(check_name(site->top));
  auto repository = TRY(repository_at(os, *site));
  const auto source = TRY(os.files.read_if_there(repository.common / kCloneSource, kPointerBytes));
  if (!source) return repository;
  const auto named = pointer(*source, "", repository.top);
  const auto original =
      named && TRY(os.files.exists(*named)) ? TRY(look_at(os, *named)) : std::optional<Found>();
  if (!original) return gone(repository.top, named.value_or(repository.common));
  return repository_at(os, *original);
}

}  // namespace pf
