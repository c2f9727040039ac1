#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/facts.h"
#include "git/git.h"
#include "git/link.h"
#include "git/merging.h"
#include "git/repository.h"
#include "git/taking.h"
#include "os/os.h"

namespace pf {

struct NewCommit {
  TreeId tree;
  CommitId parent;
  std::string message;
};

// One bubble's worktree. Every git call is hardened: no hooks, no fsmonitor, no external diff or
// textconv, no prompt, no pager, no signing, literal pathspecs, fixed locale.
class Workspace {
 public:
  Workspace(Os& os, WorkspaceSpec spec);
  const WorkspaceSpec& spec() const { return spec_; }

  // Branch at the base commit, worktree (or clone) on it, the files of its submodules where this
  // machine has their commits, and those of `.worktreeinclude` (gitignore syntax, from the main
  // worktree; only files git ignores) copied. Goes on
  // from wherever an earlier try stopped. Refuses a directory or branch that is not ours. What was
  // ready before is not touched again; a worktree whose directory is gone is made anew at the
  // branch, with the files of `spec.tree` when that is given.
  Status prepare();
  // Undoes prepare: the worktree, and the branch when it has no commit of its own and is checked
  // out nowhere else. Refuses when the worktree holds work that is in no ref (call salvage first).
  // Leaves alone what is not ours; nothing to undo is success.
  Status unprepare();
  // Whether the commit that the bubble starts from is still in the repository.
  Result<bool> has_base() const;
  // Whether the directory is there and still this bubble's.
  Result<bool> exists() const;

  // The worktree's tree by the private index; `cold` rebuilds the index from the base first, and
  // both give the same tree. Any number may run at once. The objects stay reachable only once
  // anchored. Changes below `.pairflow` are never part of it. A machine error when the directory is
  // gone or no longer this bubble's.
  Result<TreeFact> snapshot(bool cold);
  // Files of the tree that were written after `since` (see FileInfo::changed), even if their
  // content is the same again.
  Result<std::vector<std::string>> touched(const TreeId& tree, std::int64_t since) const;
  // Nested repositories of a tree: their files are not part of it.
  Result<std::vector<std::string>> nested(const TreeId& tree) const;
  // The files of the tree, of its submodules where this machine has their commits, and of
  // `.worktreeinclude`, in a directory that is made for it; what was there is gone. It is no
  // worktree: git knows nothing of it.
  Status check_out(const TreeId& tree, const Path& directory);
  // Keeps an object alive under refs/pairflow/<id>/<name>; harmless twice. Clone mode: fetched into
  // the main repository first. The names base and salvage/… are taken.
  Status anchor(const std::string& name, const std::string& object);
  // refs/pairflow/<id>/salvage/<n> for the tree and the commits that hold work which is in no ref
  // but the bubble's own branch; returns the refs that hold it, made now or by an earlier call.
  Result<std::vector<std::string>> salvage();

  // Unified diff between two trees (or commits), of `paths` alone when some are given, at most
  // `limit` bytes with a last line that says what was cut. Binary files are named only, but for
  // `paths`. Attributes in the trees cannot hide a change.
  Result<std::string> diff(const std::string& from, const std::string& to, std::size_t limit,
                           const std::vector<std::string>& paths = {});
  // Sorted by path; a path that is not UTF-8 is written as git quotes it.
  Result<std::vector<ChangedFile>> changed(const std::string& from, const std::string& to);

  // Makes the commit object (author and committer from git config; a machine error that says how to
  // set them) without moving any ref. Clone mode: in the main repository.
  Result<CommitId> make_commit(const NewCommit& commit);
  // Where the bubble's branch points (in clone mode the clone's).
  Result<CommitId> tip() const;
  // Compare-and-swap of the bubble's branch (both repositories in clone mode, the main one last,
  // which may also still be at the base); refused when it is not at `expected`. Being at `to`
  // already is success.
  Status move_branch(const CommitId& to, const CommitId& expected);
  // After move_branch: the worktree's own index matches HEAD again. Files are not touched.
  Status refresh_index();
  // Where git finds the user's hooks: core.hooksPath, which is relative to a checkout's top unless
  // it is absolute, else the repository's own.
  Result<Path> hooks_path() const;
  // Makes `at` a git directory of its own, anew, as it is before the tree is committed on `head`:
  // HEAD is the bubble's branch there, the tree is in the index. Objects are the user's. What runs
  // finds it as `seen_at` and may write all of it: none of it is believed afterwards.
  Status make_hooks_git(const Path& at, const Path& seen_at, const CommitId& head,
                        const TreeId& tree);
  // Whether the tree has a file at this path, or below it.
  Result<bool> has_path(const TreeId& tree, const Path& path) const;
  // The tree of the files in a directory that was brought to `checked_out`.
  Result<TreeId> tree_in(const Path& directory, const TreeId& checked_out);

  // What bringing the branch into the bubble's files would come to. Touches none of them. `target`
  // is the tree that was handed over last.
  Result<SyncFact> look_at_sync(const std::string& branch, const std::optional<TreeId>& target);
  // The bubble's files become those of `to`, confined. One that would change has to be as in
  // `from`, or as in `to` already; else the paths are returned and nothing is changed. Goes on
  // where it was cut off.
  Result<std::vector<std::string>> bring_files(const TreeId& from, const TreeId& to);
  // The bubble's branch, which is at `tip`, begins at `onto` from now on; commits that only it
  // holds are kept as salvage. Files are not touched. Harmless twice.
  Status rebase(const CommitId& onto, const CommitId& tip);
  // Of the files of a tree, those that hold marks of a conflict that merged_tree left.
  Result<std::vector<std::string>> marked(const TreeId& tree,
                                          const std::vector<std::string>& paths) const;
  // The merge of two commits as objects, `ours` first in the marks of a conflict.
  Result<MergedTree> merged_tree(const CommitId& ours, const CommitId& theirs) const;

  // What a merge of the commit into the branch would meet; `dirty` is what of the checkout is in
  // its way. Touches nothing; refused when there is no such branch.
  Result<MergeFact> look_at_merge(const CommitId& commit, const std::string& branch) const;
  // Merges it as `fact` saw it, into exactly that tree: the files and the index of the checkout
  // that has the branch go along, by confined git, then the branch moves from where it was. Refused
  // when that is no longer possible; then nothing has changed. Goes on where an earlier try was cut
  // off.
  Result<CommitId> merge(const CommitId& commit, const std::string& branch, const MergeFact& fact);

 private:
  Git main() const;                         // the user's repository, without files
  Git own() const;                          // where the bubble's branch is
  Git checkout(const Path& git_dir) const;  // the worktree with an index of its own
  Result<GitPlace> objects() const;         // by the rules at the start, without files
  // How files are taken or written by the rules; `index` has room for a directory of those of now.
  Result<TakingSpec> taking(const Path& directory, const std::string& base,
                            const PrivateIndex& index) const;
  std::string branch_ref() const;
  std::string own_ref(std::string_view name) const;  // refs/pairflow/<id>/<name>

  Result<Path> linked() const;  // the worktree's git directory, or why it cannot be used
  Status fetch_home(const std::string& object);

  Result<bool> begun() const;
  Status refuse_foreign(const Link& link) const;
  Status make_branch();
  Status make_worktree(const Link& link);
  Status make_clone(const Link& link);
  // Writes the tree's files to the directory, confined; the paths of all its files.
  Result<std::vector<std::string>> write_files(const std::string& tree, const Path& directory);
  Status fill(const Path& git_dir, const Path& directory);

  Status refuse_unsaved(const Path& git_dir);
  Status remove_branch();

  Result<std::vector<std::string>> loose_tips(const Path& git_dir);
  Result<std::string> keep(const std::string& commit);
  Result<std::string> keep_tree(const TreeFact& fact);
  // A commit in nobody's name.
  Result<CommitId> loose_commit(const TreeId& tree, const CommitId& parent,
                                const std::string& message, bool dated);
  // The commit that the branch is to be at: the bubble's own, or a merge with it.
  Result<CommitId> merge_commit(const CommitId& commit, const std::string& branch,
                                const MergeFact& fact);
  Status bring_along(const Path& where, const CommitId& from, const CommitId& to);
  Status move_in(const Git& git, const CommitId& to, const std::vector<CommitId>& allowed);

  Os& os_;
  WorkspaceSpec spec_;
};

}  // namespace pf
