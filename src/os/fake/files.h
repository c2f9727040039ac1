#pragma once
#include <functional>

#include "os/fake/clock.h"
#include "os/fake/disk.h"

namespace pf {

// Thrown by a hook: the simulated process dies here. Of a write, `written` bytes still went out.
struct Killed {
  std::size_t written = 0;
};

// The files as one simulated process sees them. After Killed, or after a crash of the disk, every
// further call of this process fails without effect, so that unwinding does no harm.
class FakeFiles : public Files {
 public:
  FakeFiles(FakeDisk& disk, FakeClock& clock, int process)
      : disk_(disk), clock_(clock), process_(process), boot_(disk.boot_) {}

  // Runs before each call, named like the function ("write_at", "rename", …): may run other
  // processes, throw Killed, or return an error that the call then gives. A short write: set
  // FakeDisk::free_bytes.
  std::function<Status(std::string_view call, const Path& path)> before;
  // Runs for as long as a lock or a bell is waited for, each time a millisecond later.
  std::function<void()> blocked;

  Result<std::unique_ptr<File>> open(const Path& path, Open how) override;
  Result<std::optional<FileInfo>> info(const Path& path) override;
  Result<std::vector<Entry>> list(const Path& directory) override;
  Status make_directories(const Path& path) override;  // durable at once, as in PosixFiles
  Status rename(const Path& from, const Path& to) override;
  Status remove(const Path& path) override;
  Status remove_all(const Path& directory) override;  // calls `before` for each entry
  Status sync_directory(const Path& path) override;
  Result<Path> canonical(const Path& path) override;
  Status copy(const Path& from, const Path& to) override;
  Status set_executable(const Path& path) override;
  Status copy_mode(const Path& from, const Path& to) override;
  Status make_link(const Path& target, const Path& path) override;
  Result<std::string> read_beneath(const Path& root, const Path& relative,
                                   std::size_t limit) override;
  Result<std::unique_ptr<Bell>> listen(const Path& directory) override;
  void ring(const Path& directory) override;
  Result<std::unique_ptr<Listener>> open_listener(const Path& path) override;
  Result<std::optional<std::string>> call(const Path& path, std::string_view request,
                                          std::size_t limit) override;

 protected:
  std::string unique_part() override;

 private:
  friend class FakeFile;
  friend class FakeBell;

  Status enter(std::string_view call, const Path& path);
  bool gone() const { return gone_ || boot_ != disk_.boot_; }
  // Waits with `blocked` until `ready` or `wait` has passed; whether it is ready.
  bool wait_until(const std::function<bool()>& ready, Duration wait);
  template <class Call>
  auto dying(Call call);

  FakeDisk& disk_;
  FakeClock& clock_;
  int process_;
  std::uint64_t boot_;  // of the disk, at our start
  bool gone_ = false;
};

}  // namespace pf
