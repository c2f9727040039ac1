#include "git/include_files.h"

#include <algorithm>

#include "git/git.h"

namespace pf {
namespace {

constexpr const char* kIncludeFile = ".worktreeinclude";

bool is_wanted(const std::string& path, const std::vector<std::string>& tracked) {
  if (path.ends_with('/')) return false;  // a nested repository
  const Path relative(path);
  if (std::ranges::find(relative, Path(".git")) != relative.end()) return false;
  return !is_control(path) && !std::ranges::binary_search(tracked, path);
}

// Makes the directories above `relative`; false when something else stands in the way.
Result<bool> make_way(Os& os, const Path& destination, const Path& relative) {
  Path directory = destination;
  for (const auto& part : relative.parent_path()) {
    directory /= part;
    const auto info = TRY(os.files.info(directory));
    if (info && info->kind != FileKind::directory) return false;
  }
  TRY(os.files.make_directories(directory));
  const auto there = TRY(os.files.info(destination / relative));
  return !there || there->kind == FileKind::file || there->kind == FileKind::symlink;
}

}  // namespace

Status copy_included(Os& os, const Repository& repository, std::vector<std::string> tracked,
                     const Path& destination) {
  const auto info = TRY(os.files.info(repository.top / kIncludeFile));
  if (!info || info->kind != FileKind::file) return {};
  const Git git(os, {.git_dir = repository.common, .work_tree = repository.top});
  const auto untracked = [&](std::string by) {
    return git.pieces("find the files of .worktreeinclude",
                      {"ls-files", "-z", "--others", "--ignored", std::move(by)});
  };
  auto ignored = TRY(untracked("--exclude-standard"));
  std::ranges::sort(ignored);
  std::ranges::sort(tracked);
  for (const auto& path : TRY(untracked(std::string("--exclude-from=") + kIncludeFile))) {
    // A file that git does not ignore would become part of the change.
    if (!is_wanted(path, tracked) || !std::ranges::binary_search(ignored, path)) continue;
    const auto source = TRY(os.files.info(repository.top / path));
    if (!source || (source->kind != FileKind::file && source->kind != FileKind::symlink)) continue;
    if (TRY(make_way(os, destination, path)))
      TRY(os.files.copy(repository.top / path, destination / path));
  }
  return {};
}

}  // namespace pf
