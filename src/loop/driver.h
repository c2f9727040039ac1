#pragma once
#include <functional>
#include <memory>

#include "base/envelope.h"
#include "loop/paths.h"

namespace pf {

// Does what is outstanding for one loop, under its lease, and hears its agents.
class DrivenWork {
 public:
  virtual ~DrivenWork() = default;
  struct Standing {
    Seq seq = Seq::none;  // the last event
    bool rests = false;   // no process of an agent is there and none is wanted
  };
  // Performs until nothing is left that can be done now.
  virtual Result<Standing> advance() = 0;
  // To be waited for; then hear().
  virtual std::vector<int> descriptors() const = 0;
  virtual std::optional<MonoTime> wake_at() const = 0;
  // True when there may be something to perform.
  virtual Result<bool> hear(const std::vector<int>& readable) = 0;
  // Ends the agents' processes: the driver was asked to end, or `failure` ends it.
  virtual Status leave(const Error* failure) = 0;
};

// One kind of loop, as the process that performs for it knows it.
struct Drivable {
  const LoopPaths& paths;
  std::function<Result<std::unique_ptr<DrivenWork>>(const Lock& lease)> begin;
  std::function<Result<Seq>()> last_seq;
  bool leaves = true;  // when it is asked to end; else a signal ends the process as it is
};

// The process that performs until the loop is at rest or it is asked to end, and sleeps in between.
// Returns at once when another process holds the lease.
Status drive(Os& os, const Drivable& loop);
template <class L>
Status drive(L& loop, decltype(Drivable::begin) begin, bool leaves = true) {
  const auto last_seq = [&]() -> Result<Seq> { return TRY(loop.load()).last_seq; };
  return drive(loop.os(), {loop.paths(), std::move(begin), last_seq, leaves});
}

// Calls `step`, which loads, looks and performs what is outstanding up to the first effect that
// changes something, until it says that none did. A loop that does not come to rest is an error.
Status settle(const std::function<Result<bool>()>& step);

}  // namespace pf
