#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "os/posix/file.h"
#include "os/posix/os.h"
#include "os/posix/spawn.h"
#include "os/system_error.h"

namespace pf {
namespace {

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::file;
  if (S_ISDIR(mode)) return FileKind::directory;
  return S_ISLNK(mode) ? FileKind::symlink : FileKind::other;
}

FileKind kind_of(const std::filesystem::directory_entry& entry) {
  std::error_code gone;
  if (entry.is_symlink(gone)) return FileKind::symlink;
  if (entry.is_directory(gone)) return FileKind::directory;
  return entry.is_regular_file(gone) ? FileKind::file : FileKind::other;
}

int flags_of(Open how) {
  switch (how) {
    case Open::read: return O_RDONLY;
    case Open::write: return O_RDWR;
    case Open::create:
    case Open::create_shared: break;
  }
  return O_RDWR | O_CREAT;
}

Path or_here(const Path& path) { return path.empty() ? Path(".") : path; }

Status write_link(const Path& from, const Path& to) {
  std::error_code code;
  const Path target = std::filesystem::read_symlink(from, code);
  if (code) return path_error(code.value(), "copy", from);
  if (::symlink(target.c_str(), to.c_str()) < 0) return path_error(errno, "make the link", to);
  return {};
}

Status copy_bytes(const Descriptor& in, const Descriptor& out, const Path& from, const Path& to) {
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const auto got = uninterrupted([&] { return ::read(in.get(), buffer.data(), buffer.size()); });
    if (got < 0) return path_error(errno, "read", from);
    if (got == 0) return {};
    if (!write_all(out.get(), {buffer.data(), static_cast<std::size_t>(got)}))
      return path_error(errno, "write", to);
  }
}

Status write_copy(const Path& from, const Path& to) {
  const Descriptor in(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!in) return path_error(errno, "read", from);
  struct stat source{};
  if (::fstat(in.get(), &source) < 0) return path_error(errno, "read", from);
  if (!S_ISREG(source.st_mode))
    return fail(Exit::machine, fmt::format("cannot copy '{}'", printable(from.string())),
                "it is neither a file nor a symlink");
  const Descriptor out(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!out) return path_error(errno, "write", to);
  TRY(copy_bytes(in, out, from, to));
  if (::fchmod(out.get(), source.st_mode & 0777) < 0) return path_error(errno, "write", to);
  return {};
}

std::unexpected<Error> refused(const Path& relative, std::string why) {
  return fail(Exit::usage, fmt::format("cannot use '{}'", printable(relative.string())),
              std::move(why),
              "name a regular file below that directory, without '..' and without symlinks");
}

Result<Descriptor> open_beneath(const Path& root, const Path& relative) {
  if (relative.empty() || relative.is_absolute() ||
      std::ranges::find(relative, Path("..")) != relative.end())
    return refused(relative, "the path leaves the directory it must stay in");
  const Descriptor base(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!base) return path_error(errno, "open", root);
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Descriptor file(static_cast<int>(uninterrupted(
      [&] { return ::syscall(SYS_openat2, base.get(), relative.c_str(), &how, sizeof how); })));
  if (file) return file;
  switch (errno) {
    case ELOOP: return refused(relative, "a part of the path is a symlink");
    case EXDEV: return refused(relative, "the path leaves the directory it must stay in");
    case ENOENT:
    case ENOTDIR: return refused(relative, "there is no such file");
    case ENXIO: return refused(relative, "it is not a regular file");
    default: return path_error(errno, "open", root / relative);
  }
}

}  // namespace

Result<std::unique_ptr<File>> PosixFiles::open(const Path& path, Open how) {
  // Non-blocking, so that a fifo in the place of a file is an error instead of a wait.
  const int flags = flags_of(how) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  Descriptor fd(uninterrupted(
      [&] { return ::open(path.c_str(), flags, how == Open::create_shared ? 0666 : 0600); }));
  if (!fd) return path_error(errno, "open", path);
  return std::make_unique<PosixFile>(std::move(fd), path);
}

Result<std::optional<FileInfo>> PosixFiles::info(const Path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return path_error(errno, "look at", path);
  }
  return FileInfo{
      kind_of(found.st_mode), static_cast<std::uint64_t>(found.st_size),
      S_ISREG(found.st_mode) && (found.st_mode & S_IXUSR) != 0,
      static_cast<std::int64_t>(found.st_ctim.tv_sec) * 1'000'000'000 + found.st_ctim.tv_nsec};
}

Result<std::vector<Entry>> PosixFiles::list(const Path& directory) {
  std::error_code code;
  std::vector<Entry> entries;
  std::filesystem::directory_iterator at(or_here(directory), code);
  if (code == std::errc::no_such_file_or_directory) return entries;
  for (; !code && at != std::filesystem::directory_iterator(); at.increment(code))
    entries.push_back({at->path().filename().string(), kind_of(*at)});
  if (code) return path_error(code.value(), "list", directory);
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

Status PosixFiles::make_directories(const Path& path) {
  if (path.empty() || path == path.root_path()) return {};
  if (!path.has_filename()) return make_directories(path.parent_path());
  if (::mkdir(path.c_str(), 0777) == 0) return sync_directory(path.parent_path());
  if (errno == ENOENT) {
    TRY(make_directories(path.parent_path()));
    if (::mkdir(path.c_str(), 0777) == 0) return sync_directory(path.parent_path());
  }
  if (errno != EEXIST) return path_error(errno, "make the directory", path);
  struct stat found{};
  if (::stat(path.c_str(), &found) < 0) return path_error(errno, "make the directory", path);
  if (!S_ISDIR(found.st_mode)) return path_error(EEXIST, "make the directory", path);
  return {};
}

Status PosixFiles::rename(const Path& from, const Path& to) {
  if (::rename(from.c_str(), to.c_str()) < 0) return path_error(errno, "rename a file to", to);
  return {};
}

Status PosixFiles::remove(const Path& path) {
  if (::unlink(path.c_str()) < 0 && errno != ENOENT && errno != ENOTDIR)
    return path_error(errno, "remove", path);
  return {};
}

namespace {

// Lets its owner list and empty the directories below.
void open_directories(const Path& top) {
  namespace fs = std::filesystem;
  std::error_code code;
  const auto open_up = [](const Path& path) {  // and follows no link that stands there by now
    const Descriptor fd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) return;
    std::error_code at_best;
    fs::permissions("/proc/self/fd/" + std::to_string(fd.get()), fs::perms::owner_all,
                    fs::perm_options::add, at_best);
  };
  if (fs::symlink_status(top, code).type() != fs::file_type::directory) return;
  open_up(top);
  for (auto entry = fs::recursive_directory_iterator(
           top, fs::directory_options::skip_permission_denied, code);
       !code && entry != fs::recursive_directory_iterator(); entry.increment(code))
    if (entry->symlink_status(code).type() == fs::file_type::directory) open_up(entry->path());
}

}  // namespace

// Directories may be read-only, as caches of modules are; and somebody else may remove the same
// ones, or a process that is about to end still write there.
Status PosixFiles::remove_all(const Path& directory) {
  constexpr int kTries = 20;
  std::error_code code;
  bool opened = false;
  for (int i = 0; i < kTries; ++i) {
    std::filesystem::remove_all(directory, code);
    if (code == std::errc::permission_denied && !std::exchange(opened, true))
      open_directories(directory);
    else if (code != std::errc::no_such_file_or_directory && code != std::errc::directory_not_empty)
      break;
  }
  if (code) return path_error(code.value(), "remove", directory);
  return {};
}

Status PosixFiles::sync_directory(const Path& path) {
  const Descriptor fd(::open(or_here(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return path_error(errno, "make durable", path);
  // Some file systems have no such thing as syncing a directory.
  if (uninterrupted([&] { return ::fsync(fd.get()); }) < 0 && errno != EINVAL)
    return path_error(errno, "make durable", path);
  return {};
}

Result<Path> PosixFiles::canonical(const Path& path) {
  char* resolved = ::realpath(or_here(path).c_str(), nullptr);
  if (resolved == nullptr) return path_error(errno, "find", path);
  Path result(resolved);
  std::free(resolved);
  return result;
}

Status PosixFiles::make_link(const Path& target, const Path& path) {
  if (::symlink(target.c_str(), path.c_str()) < 0 && errno != EEXIST)
    return path_error(errno, "link", path);
  return {};
}

Status PosixFiles::set_executable(const Path& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) < 0) return path_error(errno, "make executable", path);
  const mode_t readers = found.st_mode & 0444;
  if (::chmod(path.c_str(), (found.st_mode & 07777) | (readers >> 2)) < 0)
    return path_error(errno, "make executable", path);
  return {};
}

Status PosixFiles::copy_mode(const Path& from, const Path& to) {
  struct stat found{};
  if (::stat(from.c_str(), &found) < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return path_error(errno, "look at", from);
  }
  if (::chmod(to.c_str(), found.st_mode & 07777) < 0)
    return path_error(errno, "set the mode of", to);
  return {};
}

Status PosixFiles::copy(const Path& from, const Path& to) {
  const auto source = TRY(info(from));
  if (!source) return path_error(ENOENT, "copy", from);
  const Path fresh = Path(to) += "." + unique_part() + ".tmp";
  auto done = source->kind == FileKind::symlink ? write_link(from, fresh) : write_copy(from, fresh);
  if (done) done = rename(fresh, to);
  if (!done) ::unlink(fresh.c_str());
  return done;
}

Result<std::string> PosixFiles::read_beneath(const Path& root, const Path& relative,
                                             std::size_t limit) {
  auto fd = TRY(open_beneath(root, relative));
  struct stat found{};
  if (::fstat(fd.get(), &found) < 0) return path_error(errno, "look at", root / relative);
  if (!S_ISREG(found.st_mode)) return refused(relative, "it is not a regular file");
  PosixFile file(std::move(fd), root / relative);
  return read_within(file, relative, limit);
}

std::string PosixFiles::unique_part() { return PosixRandom().token(); }

}  // namespace pf
