#include "loop/kept_running.h"

namespace pf {
namespace {

// A lease whose holder cannot be watched (a command, a process that has just started) is looked at
// again after this.
constexpr Duration kUnknownHolder = std::chrono::seconds(1);

}  // namespace

Status KeptRunning::keep() {
  wake_at_.reset();
  if (end_) return {};
  const MonoTime now = os_.clock.mono();
  if (TRY(Lock::is_held(os_, process_.paths.lease))) {
    restarts_.running();
    const int holder = TRY(Lock::last_holder(os_, process_.paths.lease));
    end_ = Descriptor(holder > 0 ? os_.processes.watch_end(holder) : -1);
    if (!end_) wake_at_ = now + kUnknownHolder;
    return {};
  }
  wake_at_ = restarts_.missing(now);
  if (*wake_at_ > now) return {};
  const auto started = ensure_running(os_, process_);
  restarts_.started(os_.clock.mono());
  return started;
}

}  // namespace pf
