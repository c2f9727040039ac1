#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "git/taking.h"
#include "git/workspace.h"

namespace pf {
namespace {

// Replaces git's reason when the cause is that it does not know who commits.
Result<Error> explain(const Git& git, Error error) {
  for (const auto* who : {"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"})
    if (!TRY(git.run({"-c", "user.useConfigOnly=true", "var", who})).ok())
      return Error{Exit::machine, "git does not know who commits",
                   "user.name or user.email is not set for this repository",
                   "git config user.name \"Your Name\" && git config user.email you@example.org"};
  return error;
}

}  // namespace

Result<CommitId> Workspace::make_commit(const NewCommit& commit) {
  TRY(check_object_id(commit.tree.str()));
  TRY(fetch_home(commit.parent.str()));
  const Git git = main();
  const auto made = TRY(git.run({"-c", "user.useConfigOnly=true", "commit-tree", "--no-gpg-sign",
                                 "-p", commit.parent.str(), "-F", "-", commit.tree.str()},
                                {.input = commit.message}));
  if (!made.ok()) return std::unexpected(TRY(explain(git, git_error("make the commit", made))));
  return CommitId(made.out.substr(0, made.out.find('\n')));
}

Status Workspace::move_in(const Git& git, const CommitId& to,
                          const std::vector<CommitId>& allowed) {
  const auto at = TRY(git.ref(branch_ref()));
  if (at == to.str()) return {};
  const auto refused = [&](const std::optional<std::string>& now) {
    return fail(Exit::refused, fmt::format("the branch '{}' was moved", spec_.branch),
                fmt::format("it is {}, not at {}", now ? "at " + *now : "gone", allowed[0].str()),
                fmt::format("git log {}..{} shows what was added", allowed[0].str(), spec_.branch));
  };
  if (!at || std::ranges::find(allowed, CommitId(*at)) == allowed.end()) return refused(at);
  auto moved = git.set_ref(branch_ref(), to.str(), at);
  if (moved) return {};
  const auto now = TRY(git.ref(branch_ref()));
  if (now == to.str()) return {};
  return now == at ? moved : refused(now);
}

Status Workspace::move_branch(const CommitId& to, const CommitId& expected) {
  TRY(check_object_id(to.str()));
  if (spec_.mode == WorkMode::worktree) return move_in(main(), to, {expected});
  TRY(linked());
  TRY(fetch_home(to.str()));
  const Git git = own();
  if (!TRY(git.has(to.str())))
    TRY(git.fetch("bring the commit to the bubble's clone", spec_.repository.common, to.str()));
  TRY(move_in(git, to, {expected}));
  return move_in(main(), to, {expected, spec_.base});
}

Status Workspace::refresh_index() {
  const std::string tip = TRY(this->tip()).str();
  GitPlace place = TRY(objects());  // by the rules, not by what was configured since
  place.work_tree = spec_.worktree;
  place.index = TRY(linked()) / "index";
  const Git git(os_, std::move(place));
  TRY(git.must("refresh the worktree's index", {"read-tree", tip}));
  return refresh_plain(git);
}

}  // namespace pf
