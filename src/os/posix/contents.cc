#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "os/posix/file.h"
#include "os/posix/os.h"
#include "os/posix/spawn.h"
#include "os/system_error.h"

// The parts of PosixFiles that move whole contents.
namespace pf {
namespace {

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

}  // namespace pf
