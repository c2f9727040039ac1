#include "os/system_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "base/text.h"

namespace pf {
namespace {

std::string_view fix_of(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT: return "free some disk space, then run the same command again";
    case EFBIG: return "raise the limit of file sizes (ulimit -f), then run the same command again";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n), then run the same command again";
    case EACCES:
    case EPERM: return "check who owns it and its permissions (ls -ld)";
    case EROFS: return "make the file system writable, or run outside the sandbox";
    case ENOENT:
    case ENOTDIR: return "check that the path is right";
    case EIO: return "check the disk (dmesg), then run the same command again";
    case ENOSYS: return "Linux 5.6 or newer is needed";
    default: return "";
  }
}

}  // namespace

Error system_error(int code, std::string what) {
  return {Exit::machine, std::move(what), std::generic_category().message(code),
          std::string(fix_of(code))};
}

std::unexpected<Error> path_error(int code, std::string_view verb, const Path& path) {
  return std::unexpected(
      system_error(code, fmt::format("cannot {} '{}'", verb, printable(path.string()))));
}

}  // namespace pf
