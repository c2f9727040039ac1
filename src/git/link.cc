// How it works. `git worktree add` ties two places together: <worktree>/.git names
// <common>/worktrees/<name>, whose file `gitdir` names <worktree>/.git. Only when both agree is the
// directory ours, so git never finds an enclosing repository in its place.
#include "git/link.h"

#include <fmt/format.h>

namespace pf {
namespace {

constexpr const char* kReady = "pairflow-ready";

// The worktree with links above it resolved, as git writes it; nothing when its parent is missing.
Result<std::optional<Path>> resolved(Os& os, const Path& worktree) {
  if (!TRY(os.files.exists(worktree.parent_path()))) return std::nullopt;
  return TRY(os.files.canonical(worktree.parent_path())) / worktree.filename();
}

Result<bool> points_to(Os& os, const Path& git_dir, const Path& worktree) {
  const auto text = TRY(os.files.read_if_there(git_dir / "gitdir", kPointerBytes));
  return text && pointer(*text, "", git_dir) == worktree / ".git";
}

Result<Path> registered(Os& os, const Path& common, const Path& worktree) {
  const Path entries = common / "worktrees";
  for (const auto& entry : TRY(os.files.list(entries)))
    if (entry.kind == FileKind::directory && TRY(points_to(os, entries / entry.name, worktree)))
      return entries / entry.name;
  return Path();
}

// The git directory that <worktree>/.git names, when it is one of our repository's and agrees.
Result<Path> named_by(Os& os, const Path& common, const Path& worktree) {
  const auto text = TRY(os.files.read(worktree / ".git", kPointerBytes));
  const auto git_dir = pointer(text, "gitdir: ", worktree);
  if (!git_dir || !TRY(os.files.exists(*git_dir)) ||
      TRY(os.files.canonical(git_dir->parent_path())) != common / "worktrees")
    return Path();
  return TRY(points_to(os, *git_dir, worktree)) ? *git_dir : Path();
}

Result<Link> inspect_clone(Os& os, const WorkspaceSpec& spec, const Path& worktree) {
  const Path git_dir = worktree / ".git";
  const auto info = TRY(os.files.info(git_dir));
  if (!info || info->kind != FileKind::directory) return Link{Site::foreign};
  const auto source = TRY(os.files.read_if_there(git_dir / kCloneSource, kPointerBytes));
  if (!source || pointer(*source, "", "/") != spec.repository.top) return Link{Site::foreign};
  return Link{Site::ours, git_dir, TRY(os.files.exists(git_dir / kReady))};
}

Result<Link> inspect_worktree(Os& os, const WorkspaceSpec& spec, const Path& worktree) {
  const Path& common = spec.repository.common;
  const auto info = TRY(os.files.info(worktree / ".git"));
  Link link{Site::foreign};
  if (!info) {
    link.git_dir = TRY(registered(os, common, worktree));
    if (!link.git_dir.empty()) link.site = Site::unlinked;
  } else if (info->kind == FileKind::file) {
    link.git_dir = TRY(named_by(os, common, worktree));
    if (!link.git_dir.empty()) link.site = Site::ours;
  }
  if (link.site != Site::foreign) link.ready = TRY(os.files.exists(link.git_dir / kReady));
  return link;
}

}  // namespace

Result<Link> inspect(Os& os, const WorkspaceSpec& spec) {
  const auto worktree = TRY(resolved(os, spec.worktree));
  if (!worktree) return Link{};
  const auto info = TRY(os.files.info(*worktree));
  if (info && info->kind != FileKind::directory) return Link{Site::foreign};
  if (!info || TRY(os.files.list(*worktree)).empty()) {
    Link link;
    if (spec.mode == WorkMode::worktree)
      link.git_dir = TRY(registered(os, spec.repository.common, *worktree));
    if (!link.git_dir.empty()) link.ready = TRY(os.files.exists(link.git_dir / kReady));
    return link;
  }
  return spec.mode == WorkMode::clone ? inspect_clone(os, spec, *worktree)
                                      : inspect_worktree(os, spec, *worktree);
}

Status mark_ready(Os& os, const Path& git_dir) {
  return os.files.replace(git_dir / kReady, "", Durable::yes);
}

Status relink(Os& os, const WorkspaceSpec& spec, const Path& git_dir) {
  return os.files.replace(spec.worktree / ".git", fmt::format("gitdir: {}\n", git_dir.string()),
                          Durable::yes);
}

}  // namespace pf
