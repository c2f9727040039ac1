#pragma once
#include "os/os.h"

namespace pf {

// A git index for one snapshot's use only, alone in a directory of its own, where a confined git
// may write. It is taken from the kept one by rename, so that any number of snapshots may run at
// once: one that finds none kept starts without. A copy would be newer than the files it describes,
// and git would then trust entries that it must look at again.
class PrivateIndex {
 public:
  // Takes the kept index when there is one and `fresh` is false; removes what dead processes left.
  static Result<PrivateIndex> take(Os& os, const Path& kept, bool fresh);
  PrivateIndex(PrivateIndex&& other) noexcept;
  PrivateIndex& operator=(PrivateIndex&&) = delete;
  ~PrivateIndex();  // removes all of it

  Path path() const { return directory() / "index"; }
  Path directory() const { return all_ / "index.d"; }
  Path rules() const { return all_ / "rules"; }  // room for a git directory, out of git's reach
  Path reference() const { return all_ / "reference"; }  // room for one more, likewise
  const Path& kept() const { return kept_; }
  bool is_warm() const { return warm_; }  // it holds an earlier snapshot
  // Starts over without one, in an empty directory.
  Status clear();
  // Puts it in the place of the kept one.
  Status keep() { return os_.files.rename(path(), kept_); }

 private:
  PrivateIndex(Os& os, Path kept, Path all)
      : os_(os), kept_(std::move(kept)), all_(std::move(all)) {}

  Os& os_;
  Path kept_;
  Path all_;  // empty once moved from
  bool warm_ = false;
};

}  // namespace pf
