#include "os/posix/directory_listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "os/descriptor.h"
#include "os/system_error.h"

namespace pf {
namespace {

FileKind kind_of(int directory, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileKind::file;
    case DT_DIR: return FileKind::directory;
    case DT_LNK: return FileKind::symlink;
    case DT_UNKNOWN: break;
    default: return FileKind::other;
  }
  struct stat info{};
  if (::fstatat(directory, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) < 0) return FileKind::other;
  if (S_ISREG(info.st_mode)) return FileKind::file;
  if (S_ISDIR(info.st_mode)) return FileKind::directory;
  return S_ISLNK(info.st_mode) ? FileKind::symlink : FileKind::other;
}

}  // namespace

Result<std::vector<Entry>> list_directory(const Path& directory) {
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return std::vector<Entry>{};
  if (fd < 0) return path_error(errno, "list", directory);
  const auto close = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close)> stream(::fdopendir(fd));
  if (!stream) {
    const int code = errno;
    ::close(fd);
    return path_error(code, "list", directory);
  }
  std::vector<Entry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0) return path_error(errno, "list", directory);
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back({std::string(name), kind_of(fd, *entry)});
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

}  // namespace pf
