#pragma once
#include <algorithm>

#include "loop/detached.h"
#include "os/descriptor.h"

namespace pf {

// When to start a detached process again: the first time at once, one that keeps dying ever more
// rarely.
class Restarts {
 public:
  static constexpr Duration kFirstPause = std::chrono::seconds(1);
  static constexpr Duration kLongestPause = std::chrono::seconds(60);

  // None runs: the moment to start the next one.
  MonoTime missing(MonoTime now) {
    if (!waiting_) {
      // One that has lived that long did not die of its start.
      if (now - started_ >= kLongestPause) pause_ = Duration::zero();
      due_ = now + pause_;
      waiting_ = true;
    }
    return due_;
  }
  // One was started, or failed to start.
  void started(MonoTime now) {
    started_ = now;
    pause_ = std::clamp(2 * pause_, kFirstPause, kLongestPause);
    waiting_ = false;
  }
  // One runs; somebody else may have started it.
  void running() { waiting_ = false; }

 private:
  bool waiting_ = false;  // until due_
  MonoTime due_, started_;
  Duration pause_{};
};

// Sees to it that a detached process runs, for one who goes on only while it does.
class KeptRunning {
 public:
  KeptRunning(Os& os, Detached process) : os_(os), process_(std::move(process)) {}
  const Detached& process() const { return process_; }
  // Whether one runs; ask again when end() is readable, and at wake_at(). When none does, or nobody
  // can tell, wake_at() is the moment to start one.
  bool runs();
  Status start();
  // Both: starts one when none runs and it is time. An error when it could not be started now.
  Status keep();
  // Readable when the process that runs has ended; -1 for none that is known.
  int end() const { return end_.get(); }
  std::optional<MonoTime> wake_at() const { return wake_at_; }
  // It is not needed any more, or has ended.
  void forget() { end_.reset(), wake_at_.reset(); }

 private:
  Os& os_;
  Detached process_;
  Descriptor end_;
  Restarts restarts_;
  std::optional<MonoTime> wake_at_;
};

}  // namespace pf
