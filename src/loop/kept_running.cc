#include "loop/kept_running.h"

namespace pf {
namespace {

// A lease whose holder cannot be watched (a command, a process that has just started) is looked at
// again after this.
constexpr Duration kUnknownHolder = std::chrono::seconds(1);

}  // namespace

bool KeptRunning::runs() {
  wake_at_.reset();
  if (end_) return true;
  const MonoTime now = os_.clock.mono();
  if (!Lock::is_held(os_, process_.paths.lease).value_or(false)) {
    wake_at_ = restarts_.missing(now);
    return false;
  }
  restarts_.running();
  const int holder = Lock::last_holder(os_, process_.paths.lease).value_or(0);
  end_ = Descriptor(holder > 0 ? os_.processes.watch_end(holder) : -1);
  if (!end_) wake_at_ = now + kUnknownHolder;
  return true;
}

Status KeptRunning::start() {
  const auto started = ensure_running(os_, process_);
  restarts_.started(os_.clock.mono());
  return started;
}

Status KeptRunning::keep() {
  if (runs() || *wake_at_ > os_.clock.mono()) return {};
  return start();
}

}  // namespace pf
