#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "git/filters.h"
#include "git/git.h"
#include "git/git_rules.h"
#include "git/private_index.h"
#include "git/repository.h"

namespace pf {

// Adds the object directories that these borrow from.
Status add_alternates(Os& os, const Path& objects, std::vector<Path>& all);

// Where files are taken from, and by which rules.
struct TakingSpec {
  Repository repository;
  GitPlace rules;                        // a git directory; without files
  Path work_tree;                        // which an agent can write
  std::string base;                      // id of a commit or tree: what counts as tracked
  std::optional<Path> bubblewrap = {};   // nothing: this machine cannot confine
  std::vector<std::string> forced = {};  // what counts although it may be ignored
  std::set<std::string> left_out = {};   // what is not there and counts as unchanged all the same
  Filters filters = Filters::none;       // of the base
  std::vector<Path> programs = {};       // where git finds filters
  std::vector<GitProgram> refused = {};  // which must not run, since nothing confines them
  Path large_files = {};                 // the repository's own store
};

// By git's rules as they are now, of which a directory is made beside the index.
Result<TakingSpec> taking_now(Os& os, const Repository& repository, const Path& work_tree,
                              const std::string& base, const PrivateIndex& index);
// By the rules as they were frozen, or by those of now.
Result<TakingSpec> taking_with(Os& os, const Repository& repository,
                               const std::optional<FrozenRules>& frozen, const Path& work_tree,
                               const std::string& base, const PrivateIndex& index);
// `spec` with the rules that `place` was made of.
Result<TakingSpec> taking_by(Os& os, const GitRules& rules, GitPlace place, TakingSpec spec);

// The files of a work tree as a tree of objects. git runs confined where this machine can: filters
// find neither network nor home and can write nothing but what is thrown away. What they made comes
// into the repository as a pack whose objects are hashed again; large files that they keep, if
// their names are their hashes. Repositories within are never entered by git: which commit they are
// at is read by us.
class Taking {
 public:
  Taking(Os& os, TakingSpec spec, PrivateIndex& index);

  // Fills an index that is not warm from the base, and notes what the repositories within are at.
  Status begin();
  // Adds the files; the tree, whose objects are in the repository now.
  Result<std::string> take();
  // Whether the last take was ended from outside, and so says nothing about the files.
  bool was_cut_off() const { return cut_off_; }
  // Whether one of the paths is ignored now.
  Result<bool> any_ignored(const std::vector<const std::string*>& paths) const;
  // Keeps the index for the next one, unless code that an agent may have written could write it.
  Status keep();

  // git with these files and the index, in the same confinement; `target` may be written.
  Git git(const Path& target = {}) const;

 private:
  Path known() const { return Path(index_.kept()) += ".known"; }
  Status fill();
  Status recall();
  Status look_again();
  Result<std::int64_t> second_of_disk() const;
  Status note_nested();
  Result<Git::Words> arguments(const Path& to) const;  // of the script
  void show_large_files(GitPlace& place, GitCell& cell) const;
  Git without_files() const;

  Os& os_;
  TakingSpec spec_;
  PrivateIndex& index_;
  bool cut_off_ = false;
  std::int64_t begun_ = 0;  // when the files were last looked at
  bool filtered_ = true;
  bool has_control_ = true;          // the base has files of ours
  std::vector<std::string> nested_;  // paths of the base's repositories within
};

// What `git status` says of a checkout of the repository, an entry each: "XY path". Confined where
// this machine can; what repositories within contain is not looked at. `place` has the checkout,
// and an index when that is not its own; `untracked` is all, normal or no.
Result<std::vector<std::string>> status_of(Os& os, const Repository& repository, GitPlace place,
                                           const char* untracked);

// What a script says of the objects that are new in its place, as a pack.
inline constexpr const char* kSayNewObjects = R"sh(
cd "$GIT_OBJECT_DIRECTORY"
{
  for object in ??/*; do
    [ ! -e "$object" ] || echo "${object%%/*}${object#*/}"
  done
  for pack in pack/*.idx; do
    [ ! -e "$pack" ] || git show-index <"$pack" | cut -d ' ' -f 2
  done
} | git pack-objects -q --stdout
)sh";

// Notes in the index of `git` how the files are now, but for those that have a filter: they are
// left to the user's own git.
Status refresh_plain(const Git& git);

}  // namespace pf
