#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/path.h"

namespace pf {

// write: must exist; create: made (0600) when missing; create_shared: made as the umask says
enum class Open { read, write, create, create_shared };
enum class Durable { no, yes };
enum class FileKind { file, directory, symlink, other };

struct Entry {
  std::string name;
  FileKind kind;
};
struct FileInfo {
  FileKind kind;
  std::uint64_t size = 0;
  bool executable = false;
  std::int64_t changed = 0;  // when content or attributes last did, in nanoseconds; 0 in fakes
};

// An open file, close-on-exec, closed (and its lock released) by the destructor.
// Failures are machine errors that name the path and the system's reason.
class File {
 public:
  virtual ~File() = default;
  // Up to `limit` bytes; fewer only at the end of the file.
  virtual Result<std::string> read_at(std::uint64_t offset, std::size_t limit) = 0;
  // How many bytes went out; fewer than given when the disk is full.
  virtual Result<std::size_t> write_at(std::uint64_t offset, std::string_view bytes) = 0;
  virtual Status sync() = 0;  // fdatasync; after a failure the content is in doubt
  virtual Status truncate(std::uint64_t size) = 0;
  virtual Result<std::uint64_t> size() = 0;
  // Exclusive flock. False when somebody holds it beyond `wait`.
  virtual Result<bool> lock(Duration wait) = 0;
  // Whether somebody else holds it; not for a holder. Others may ask at the same time, but a
  // process that locks in that very instant has to wait for it.
  virtual Result<bool> is_locked() = 0;
  // Whether the path it was opened by still leads to it.
  virtual Result<bool> in_place() = 0;
};

// Wakes its owner when somebody rings the directory it listens in.
class Bell {
 public:
  virtual ~Bell() = default;
  virtual int fd() const = 0;  // readable after a ring; -1 in fakes
  virtual void silence() = 0;  // forget the rings so far
  // True when rung within `wait`; several rings count as one.
  virtual bool wait(Duration wait) = 0;
  // Waits for a ring, for `wait` to pass or for one of `others` (none of them -1, fd() may be one)
  // to become readable; gives those that are.
  virtual std::vector<int> wait_or_readable(Duration wait, std::span<const int> others) = 0;
};

// A stream socket that others call; gone when this is.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual int fd() const = 0;  // readable when somebody calls
  virtual int accept() = 0;    // the connection, the caller's to close; -1 when there is none
};
// What has come by a connection so far, at most 4 KiB; its reader still finds it there. "" when the
// other end is gone, nothing when no word has come yet. Never waits.
std::optional<std::string> peek(int connection);

class Files {
 public:
  virtual ~Files() = default;
  virtual Result<std::unique_ptr<File>> open(const Path& path, Open how) = 0;
  virtual Result<std::optional<FileInfo>> info(const Path& path) = 0;  // does not follow symlinks
  virtual Result<std::vector<Entry>> list(const Path& directory) = 0;  // sorted; empty when missing
  virtual Status make_directories(const Path& path) = 0;
  virtual Status rename(const Path& from, const Path& to) = 0;
  virtual Status remove(const Path& path) = 0;           // a file; missing is fine
  virtual Status remove_all(const Path& directory) = 0;  // never follows symlinks; missing is fine
  virtual Status sync_directory(const Path& path) = 0;
  virtual Result<Path> canonical(const Path& path) = 0;  // absolute, links resolved; must exist
  virtual Status copy(const Path& from, const Path& to) = 0;  // a file or symlink with its mode
  virtual Status set_executable(const Path& path) = 0;
  // Who may read, write and run it; a model that is gone leaves it as it is.
  virtual Status copy_mode(const Path& from, const Path& to) = 0;
  virtual Status make_link(const Path& target, const Path& path) = 0;  // symbolic; one there stays
  // A regular file below `root` reached without any symlink or `..` (openat2), whole; a usage error
  // past `limit` bytes or when `relative` leaves the root.
  virtual Result<std::string> read_beneath(const Path& root, const Path& relative,
                                           std::size_t limit) = 0;
  // Listens in `directory` (made when missing) under a name of its own.
  virtual Result<std::unique_ptr<Bell>> listen(const Path& directory) = 0;
  // Rings everybody who listens there; removes bells whose owner is gone. Never fails, never waits.
  virtual void ring(const Path& directory) = 0;
  // A socket at `path`, whose directory is made.
  virtual Result<std::unique_ptr<Listener>> open_listener(const Path& path) = 0;
  // Sends all of `request` to the listener at `path`, then reads to the end. An error when
  // nobody does; nothing when the connection broke before a whole line came back. With a limit of 0
  // no answer is waited for.
  virtual Result<std::optional<std::string>> call(const Path& path, std::string_view request,
                                                  std::size_t limit) = 0;

  // Built from the above.
  Result<std::string> read(const Path& path, std::size_t limit = 64u << 20);
  Result<std::optional<std::string>> read_if_there(const Path& path, std::size_t limit = 64u << 20);
  // The old content or the new one, never a mixture: temporary file beside it, then rename. The
  // mode stays.
  Status replace(const Path& path, std::string_view bytes, Durable durable);
  // The same for a file that others write too: false, and nothing is changed, when it is not
  // `expected` any more just before the rename.
  Result<bool> replace_unchanged(const Path& path, std::string_view expected,
                                 std::string_view bytes, Durable durable);
  Result<bool> exists(const Path& path);

 protected:
  // All of the file, `shown` by this name; a usage error past `limit` bytes.
  static Result<std::string> read_within(File& file, const Path& shown, std::size_t limit);
  // A short name part that no other process and no earlier call uses.
  virtual std::string unique_part() = 0;

 private:
  Result<bool> replace_if(const Path& path, std::string_view bytes, Durable durable,
                          const std::function<Result<bool>()>& still);
};

}  // namespace pf
