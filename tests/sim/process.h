#pragma once
#include <optional>
#include <string>
#include <variant>

#include "deed.h"
#include "fiber.h"
#include "os/fake_environment.h"
#include "os/fake_files.h"
#include "os/fake_processes.h"
#include "os/fake_random.h"

namespace pf::sim {

// One simulated process: does its deed through the door of its own, and stops before each call of
// the files seam until it is told to go on, to see the call fail, or to die.
class Process {
 public:
  Process(World& world, Stacks& stacks, int pid, Deed deed);
  ~Process();  // ends it
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void go_on();
  void go_on_with(Error error);
  // Of a write, `written` bytes still go out.
  void die(std::size_t written);

  int pid() const { return env_.process; }
  const Deed& deed() const { return deed_; }
  bool ended() const { return fiber_.done() || never_ran_; }
  // Where it stands: the call it is about to make, or a lock it waits for.
  const std::string& call() const { return call_; }
  const Path& path() const { return path_; }
  bool blocked() const { return blocked_; }
  bool at_journal(std::string_view call) const {
    return call_ == call && path_ == world_.files.journal;
  }
  bool in_lock() const { return in_lock_; }

  // How it ended: killed when there is nothing.
  struct Repaired {};
  using Ending =
      std::variant<std::monostate, Error, BubbleEngine::Answer, BubbleEngine::Loaded, Repaired>;
  const Ending& ending() const { return ending_; }

  bool disturbed = false;        // a fault hit it, so that it may fail
  bool recorded_before = false;  // its request was in the journal when it started
  bool doubt_before = false;     // the journal was in doubt when it started

 private:
  void perform();
  Result<Ending> act();
  Status repair();
  Status gather(const std::vector<Need>& needs, const bubble::State& state, Facts& facts);
  Status project(const bubble::State& state);
  Status stop_before(std::string_view call, const Path& path);
  void wait_for_orders();

  World& world_;
  Deed deed_;
  FakeFiles files_;
  FakeProcesses processes_;
  FakeRandom random_;
  FakeEnvironment env_;
  Os os_{files_, processes_, world_.clock, random_, env_};
  BubbleEngine engine_;
  Ending ending_;
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
