#include "os/posix/file.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>

#include "os/posix/os.h"
#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstLockPause = 200us;  // a door is held for about one fsync
constexpr Duration kLongestLockPause = 5ms;
constexpr std::size_t kSmallestRead = 4096;
constexpr std::size_t kLargestRead = 1u << 20;

bool is_full(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

}  // namespace

Result<std::string> PosixFile::read_at(std::uint64_t offset, std::size_t limit) {
  const std::uint64_t end = TRY(size());
  const std::uint64_t expected = end > offset ? end - offset : 0;
  std::string bytes;
  bytes.reserve(std::min<std::uint64_t>(limit, expected));
  while (bytes.size() < limit) {
    const std::size_t have = bytes.size();
    const std::size_t ahead = expected > have ? std::size_t(expected - have) : 0;
    const std::size_t want = std::min(limit - have, std::clamp(ahead, kSmallestRead, kLargestRead));
    bytes.resize(have + want);
    const auto got = uninterrupted([&] {
      return ::pread(fd_.get(), bytes.data() + have, want, static_cast<off_t>(offset + have));
    });
    if (got < 0) return path_error(errno, "read", path_);
    bytes.resize(have + static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return bytes;
}

Result<std::size_t> PosixFile::write_at(std::uint64_t offset, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto wrote = uninterrupted([&] {
      return ::pwrite(fd_.get(), bytes.data() + done, bytes.size() - done,
                      static_cast<off_t>(offset + done));
    });
    if (wrote < 0 && is_full(errno)) return done;
    if (wrote <= 0) return path_error(wrote < 0 ? errno : EIO, "write", path_);
    done += static_cast<std::size_t>(wrote);
  }
  return done;
}

Status PosixFile::sync() {
  if (uninterrupted([&] { return ::fdatasync(fd_.get()); }) < 0)
    return path_error(errno, "make durable", path_);
  return {};
}

Status PosixFile::truncate(std::uint64_t size) {
  if (uninterrupted([&] { return ::ftruncate(fd_.get(), static_cast<off_t>(size)); }) < 0)
    return path_error(errno, "truncate", path_);
  return {};
}

Result<std::uint64_t> PosixFile::size() {
  struct stat info{};
  if (::fstat(fd_.get(), &info) < 0) return path_error(errno, "look at", path_);
  return static_cast<std::uint64_t>(info.st_size);
}

Result<bool> PosixFile::lock(Duration wait) {
  PosixClock clock;
  const MonoTime deadline = clock.mono() + std::min(wait, kForever);
  for (Duration pause = kFirstLockPause;; pause = std::min(pause * 2, kLongestLockPause)) {
    if (uninterrupted([&] { return ::flock(fd_.get(), LOCK_EX | LOCK_NB); }) == 0) return true;
    if (errno != EWOULDBLOCK) return path_error(errno, "lock", path_);
    const Duration left = deadline - clock.mono();
    if (left <= Duration::zero()) return false;
    clock.sleep(std::min(pause, left));
  }
}

Result<bool> PosixFile::is_locked() {
  if (uninterrupted([&] { return ::flock(fd_.get(), LOCK_SH | LOCK_NB); }) == 0) {
    ::flock(fd_.get(), LOCK_UN);
    return false;
  }
  if (errno != EWOULDBLOCK) return path_error(errno, "look at the lock", path_);
  return true;
}

Result<bool> PosixFile::in_place() {
  struct stat ours{}, found{};
  if (::fstat(fd_.get(), &ours) < 0) return path_error(errno, "look at", path_);
  if (::stat(path_.c_str(), &found) == 0)
    return ours.st_dev == found.st_dev && ours.st_ino == found.st_ino;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return path_error(errno, "look at", path_);
}

}  // namespace pf
