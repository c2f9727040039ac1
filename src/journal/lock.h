#pragma once
#include <memory>
#include <optional>

#include "os/os.h"

namespace pf {

// An exclusive flock on a file that is never unlinked; released by the destructor or by death.
class Lock {
 public:
  // Waits up to `wait`. A machine error that names the holder (pid in the file, for people) when it
  // is still held then. Makes the file and its directories when missing.
  static Result<Lock> take(Os& os, const Path& path, Duration wait);
  // Nothing when somebody holds it.
  static Result<std::optional<Lock>> try_take(Os& os, const Path& path);
  // Whether somebody holds it; the file stays as it is, also when there is none.
  static Result<bool> is_held(Os& os, const Path& path);

  // False only after it was moved from.
  bool held() const { return file_ != nullptr; }

 private:
  explicit Lock(std::unique_ptr<File> file) : file_(std::move(file)) {}
  std::unique_ptr<File> file_;
};

}  // namespace pf
