#pragma once
#include <string>

#include "git/git.h"

namespace pf {

// git writes a file by removing the old one first. A mark, made before files of a checkout change
// and removed afterwards, tells the next try for the same tree that the last one was cut off, so
// that a file which is gone, or ends too early, is nobody's work.
class HalfWritten {
 public:
  // `scratch` names the mark; `tree` is what the files of `where` become.
  HalfWritten(Os& os, const Path& scratch, Path where, std::string tree);

  Status begin() const;
  Status end() const;
  Result<bool> was_cut_off() const;
  // Whether nothing, or a beginning of that blob's file, stands at the path. `git` has the files.
  Result<bool> is_at(const Git& git, const std::string& path, const std::string& blob) const;

 private:
  Os& os_;
  Path mark_;
  Path where_;
  std::string text_;
};

}  // namespace pf
