#pragma once
#include "os/os.h"

namespace pf {

// A git index for one snapshot's use only. It is taken from the kept one by rename, so that any
// number of snapshots may run at once: one that finds none kept starts without. A copy would be
// newer than the files it describes, and git would then trust entries that it must look at again.
class PrivateIndex {
 public:
  // Takes the kept index when there is one and `fresh` is false; removes what dead processes left.
  static Result<PrivateIndex> take(Os& os, const Path& kept, bool fresh);
  PrivateIndex(PrivateIndex&& other) noexcept;
  PrivateIndex& operator=(PrivateIndex&&) = delete;
  ~PrivateIndex();  // removes it unless it was kept

  const Path& path() const { return path_; }
  bool is_warm() const { return warm_; }  // it holds an earlier snapshot
  // Starts over without one.
  Status clear();
  // Puts it in the place of the kept one.
  Status keep();

 private:
  PrivateIndex(Os& os, Path kept, Path path)
      : os_(os), kept_(std::move(kept)), path_(std::move(path)) {}

  Os& os_;
  Path kept_;
  Path path_;  // empty once kept or moved from
  bool warm_ = false;
};

}  // namespace pf
