#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "git/half_written.h"
#include "git/raw_changes.h"
#include "git/repository.h"
#include "git/sparse.h"
#include "git/taking.h"

namespace pf {

// From which commit or tree to which, by their ids.
struct TreeMove {
  std::string known, to;
};

// The files of a user's checkout on their way from one tree to another. Only the paths that differ
// between the two are looked at, by git that is confined where this machine can; everything else,
// committed or not, stays as it is, and so does what a sparse checkout leaves out. Submodules are
// not entered: their directories come and go, empty.
class Following {
 public:
  // Compares, and changes nothing. `ours` is a path that is left alone.
  static Result<Following> look(Os& os, const Repository& repository, UserCheckout checkout,
                                TreeMove move, const std::string& ours = {});

  // Paths, as people read them, that are neither as in `known` nor as in `to`, or that something
  // stands in the way of. One that an earlier try has written half does not count.
  const std::vector<std::string>& in_danger() const { return in_danger_; }
  // Writes what is not as in `to` yet; only when nothing is in danger. A kill in between leaves
  // what the next one goes on from.
  Status change_files();

 private:
  Following(Os& os, Repository repository, UserCheckout checkout, TreeMove move)
      : os_(os),
        repository_(std::move(repository)),
        checkout_(std::move(checkout)),
        move_(std::move(move)) {}

  HalfWritten half() const { return {os_, checkout_.scratch, checkout_.where, move_.to}; }
  Status list(const std::string& ours);
  Status compare();
  Status sort_by_what_stands(const RawChange& change, std::vector<std::string>& there,
                             std::vector<std::string>& absent);
  Result<bool> is_blocked(const Path& path) const;
  Status make_way_for_nested() const;
  Git without_files() const;
  void endanger(const std::string& path);

  Os& os_;
  Repository repository_;
  UserCheckout checkout_;
  TreeMove move_;
  std::unique_ptr<PrivateIndex> index_;
  std::unique_ptr<Taking> taking_;
  std::vector<RawChange> changes_;  // of files that are in the checkout
  std::set<std::string> going_;     // the paths of those that `to` does not have
  std::vector<Path> new_nested_;    // places of submodules that come,
  std::vector<Path> old_nested_;    // and of those that go
  std::vector<RawChange> open_;     // what is not as in `to` yet
  std::vector<std::string> in_danger_;
};

// The checkout's own index becomes that of the last of `trees`. With two of them what is staged
// beside their difference stays staged; where it is in the way nothing is changed. What a sparse
// checkout leaves out is marked so. Waits a moment for another git that holds the index.
Status move_index(Os& os, const UserCheckout& checkout, const Git::Words& trees);
// Paths that keep the index from that: staged, and neither as in `known` nor as in `to`.
Result<std::vector<std::string>> staged_in_the_way(Os& os, const UserCheckout& checkout,
                                                   const TreeMove& move);

}  // namespace pf
