#pragma once
#include "loop/detached.h"
#include "loop/restarts.h"
#include "os/descriptor.h"

namespace pf {

// Sees to it that a detached process runs, for one who goes on only while it does.
class KeptRunning {
 public:
  KeptRunning(Os& os, Detached process) : os_(os), process_(std::move(process)) {}
  const Detached& process() const { return process_; }
  // Starts it when none runs, one that keeps dying ever more rarely; call this again when end() is
  // readable, and at wake_at(). An error when it could not be started now.
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
