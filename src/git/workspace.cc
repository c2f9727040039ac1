#include "git/workspace.h"

#include <fmt/format.h>

#include "base/check.h"

namespace pf {

Workspace::Workspace(Os& os, WorkspaceSpec spec) : os_(os), spec_(std::move(spec)) {
  PF_CHECK(spec_.worktree.is_absolute() && spec_.index.is_absolute());
  PF_CHECK(!spec_.bubble.empty() && !spec_.branch.empty());
}

Git Workspace::main() const { return Git(os_, {.git_dir = spec_.repository.common}); }

Git Workspace::own() const {
  return spec_.mode == WorkMode::clone ? Git(os_, {.git_dir = spec_.worktree / ".git"}) : main();
}

Git Workspace::checkout(const Path& git_dir) const {
  return Git(os_, {.git_dir = git_dir, .work_tree = spec_.worktree});
}

Result<GitPlace> Workspace::objects() const {
  const Path& common = spec_.repository.common;
  if (!spec_.rules) return GitPlace{.git_dir = common};
  return GitPlace{.git_dir = TRY(frozen_git_dir(os_, *spec_.rules, common)),
                  .objects = common / "objects"};
}

Result<TakingSpec> Workspace::taking(const Path& directory, const std::string& base,
                                     const PrivateIndex& index) const {
  return taking_with(os_, spec_.repository, spec_.rules, directory, base, index);
}

std::string Workspace::branch_ref() const { return ref_of_branch(spec_.branch); }

std::string Workspace::own_ref(std::string_view name) const {
  return fmt::format("refs/pairflow/{}/{}", spec_.bubble, name);
}

Result<bool> Workspace::exists() const { return TRY(inspect(os_, spec_)).site == Site::ours; }

Result<Path> Workspace::linked() const {
  const Link link = TRY(inspect(os_, spec_));
  if (link.site == Site::ours) return link.git_dir;
  const auto directory = spec_.worktree.string();
  if (link.site == Site::absent)
    return fail(Exit::machine, fmt::format("the directory of bubble '{}' is gone", spec_.bubble),
                fmt::format("there is nothing at {}", directory),
                fmt::format("pairflow bubble resume --id {} makes it again from the branch; "
                            "'git for-each-ref refs/pairflow/{}' shows what was kept",
                            spec_.bubble, spec_.bubble));
  return fail(Exit::machine,
              fmt::format("{} is no longer the directory of bubble '{}'", directory, spec_.bubble),
              link.site == Site::unlinked ? "its .git file is missing"
                                          : "its .git does not belong to the repository",
              fmt::format("move it away, or put its .git back; then pairflow bubble resume --id {}",
                          spec_.bubble));
}

Status Workspace::fetch_home(const std::string& object) {
  TRY(check_object_id(object));
  if (spec_.mode == WorkMode::worktree || TRY(main().has(object))) return {};
  return main().fetch("fetch from the bubble's clone", TRY(linked()), object);
}

Status Workspace::anchor(const std::string& name, const std::string& object) {
  TRY(fetch_home(object));
  return main().set_ref(own_ref(name), object);
}

Result<CommitId> Workspace::tip() const {
  if (spec_.mode == WorkMode::clone) TRY(linked());
  const auto found = TRY(own().ref(branch_ref()));
  if (found) return CommitId(*found);
  return fail(Exit::machine, fmt::format("the branch '{}' is gone", spec_.branch),
              fmt::format("bubble '{}' had it at {} or later", spec_.bubble, spec_.base.str()),
              fmt::format("git branch {} {}", spec_.branch, spec_.base.str()));
}

}  // namespace pf
