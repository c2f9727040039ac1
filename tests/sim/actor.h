#pragma once
#include <optional>
#include <string>

#include "fiber.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "os/os.h"

namespace pf::sim {

// One simulated process on a shared disk: stops before each call of the files seam until it is told
// to go on, to see the call fail, or to die.
class Actor {
 public:
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  void go_on();
  void go_on_with(Error error);
  // Of a write, `written` bytes still go out.
  void die(std::size_t written);

  int pid() const { return env_.process; }
  bool ended() const { return fiber_.done() || never_ran_; }
  // Where it stands: the call it is about to make, or a lock it waits for.
  const std::string& call() const { return call_; }
  const Path& path() const { return path_; }
  bool is_at(std::string_view call, const Path& path) const {
    return call_ == call && path_ == path;
  }
  bool blocked() const { return blocked_; }
  bool in_lock() const { return in_lock_; }

  bool disturbed = false;  // a fault hit it, so that it may fail

 protected:
  Actor(FakeDisk& disk, FakeClock& clock, Stacks& stacks, int pid, Path door);
  virtual ~Actor() = default;
  // To be called by the destructor of the class that has `perform`.
  void end();
  // What it is there for; Killed passes through.
  virtual void perform() = 0;

 private:
  void run();
  Status stop_before(std::string_view call, const Path& path);
  void wait_for_orders();

 protected:
  FakeFiles files_;
  FakeProcesses processes_;
  FakeRandom random_;
  FakeEnvironment env_;
  Os os_;

 private:
  Path door_;
  std::string call_;
  Path path_;
  bool blocked_ = false;
  bool in_lock_ = false;
  bool never_ran_ = false;
  std::optional<std::size_t> death_;
  std::optional<Error> error_;
  Fiber fiber_;
};

}  // namespace pf::sim
