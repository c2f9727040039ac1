#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/find.h"
#include "base/ids.h"
#include "base/time.h"

namespace pf {

// How a bubble's files are kept apart from the user's.
enum class WorkMode { worktree, clone };
PF_NAMES(WorkMode, worktree, clone)

// One path that differs between two trees.
struct ChangedFile {
  std::string path;
  std::string status;  // A, M, D, T (renames are shown as D and A)
  int added = 0;       // lines; -1 for a binary file
  int removed = 0;
  std::string mode;  // of the new side ("120000" symlink, "160000" repository), old when deleted
  friend bool operator==(const ChangedFile&, const ChangedFile&) = default;
  PF_FIELDS(PF_ALWAYS(path, status, added, removed), PF_IF_SET(mode));
};

// A line of a change, or a file's name (line 0), with characters that a reader does not see or
// takes for others.
struct HiddenText {
  std::string path;
  int line = 0;
  std::string what;  // "<U+200B> <U+0430>"
  friend bool operator==(const HiddenText&, const HiddenText&) = default;
  PF_FIELDS(PF_ALWAYS(path, line, what));
};

// The worktree's content at one moment.
struct TreeFact {
  TreeId tree;
  TreeId base_tree;                     // tree of the bubble's base commit
  std::vector<ChangedFile> changed;     // against the base
  CommitId tip;                         // where the bubble's branch points
  std::vector<ChangedFile> moved = {};  // against the tree that was judged or handed over last
  std::vector<HiddenText> hidden = {};  // in the change, when it was looked for
  // Of the files that a sync found in conflict, those that still hold its marks.
  std::vector<std::string> conflicted = {};
};

// What a merge of a finished bubble's commit into its base branch would meet.
struct MergeFact {
  CommitId base;                            // where the base branch is
  bool contains = false;                    // it has the commit already
  std::string checkout;                     // the worktree it is checked out in; "" for none
  std::vector<std::string> dirty = {};      // what is not committed there
  std::vector<std::string> conflicts = {};  // paths
  TreeId tree = {};  // what the branch would hold; conflicts are marked in it
};

// What bringing its base branch into a bubble's files would come to.
struct SyncFact {
  CommitId onto;                            // where the base branch is
  TreeId onto_tree;                         // and its tree
  int commits = 0;                          // by how many it has moved
  CommitId tip = {};                        // where the bubble's branch points
  TreeId files = {};                        // as they are
  TreeId merged = {};                       // with the base in them; conflicts are marked
  std::optional<TreeId> target = {};        // the tree that was handed over last, with the base
  std::vector<ChangedFile> changed = {};    // by the files with the base in them, against it
  std::vector<std::string> conflicts = {};  // paths
};

// A file that people edit too, as it was found.
struct FileFact {
  std::string name;  // "plan.md"
  bool exists = true;
  Hash hash = {};  // of the text, or of what keeps it from being read
  std::string text = {};
  std::string trouble = {};  // why it cannot be read; "" when it can
};

// The repository's main worktree and branches at one moment.
struct BranchFact {
  std::string name;
  CommitId tip;
  bool merged = false;  // the default branch has all of it
};
struct RepositoryFact {
  std::string branch;                       // checked out; "" when none is
  CommitId at;                              // the commit that is checked out
  std::vector<BranchFact> branches;         // that a loop may be about, the default one among them
  std::vector<std::string> dirty = {};      // not committed, files of Pairflow left out
  std::string unfinished = {};              // "merge", "rebase", …: what was begun in it
  std::vector<std::string> leftovers = {};  // files below the directory that a loop clears away

  const BranchFact* find(std::string_view name) const {
    return find_in(branches, name, &BranchFact::name);
  }
};

// A commit that brings a plan's step home.
struct StepCommit {
  std::string step;
  CommitId commit;
  TreeId tree;
  friend bool operator==(const StepCommit&, const StepCommit&) = default;
  PF_FIELDS(PF_ALWAYS(step, commit, tree));
};
// What bringing a plan's approved steps home would come to.
struct LandingFact {
  std::string branch;                     // that gets the commits
  std::optional<CommitId> tip = {};       // where it is; nothing: it is gone
  std::string checked_out = {};           // in the user's own checkout; "" for none
  std::vector<std::string> overlap = {};  // paths that also hold what is not the plan's
  std::vector<std::string> staged = {};   // paths that are staged otherwise
  std::vector<StepCommit> commits = {};   // made as objects, each on the one before
};

// The loop that works in the same files as the one that asks, or is parked in them.
struct ClaimFact {
  std::string holder = {};   // "plan login works", "the roles work"; "": nobody
  std::string release = {};  // the commands that make the files free
};

// How long the active agent has been silent and on turn, by a clock that stands still while the
// machine sleeps.
struct IdleFact {
  Duration idle{}, turn{};
  WallTime wall = {};
  std::string seen = {};  // what is known of it otherwise, for people
};

}  // namespace pf
