#pragma once
#include <algorithm>

#include "base/time.h"

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
  // One runs, whoever started it.
  void running() { waiting_ = false; }

 private:
  bool waiting_ = false;  // until due_
  MonoTime due_, started_;
  Duration pause_{};
};

}  // namespace pf
