#pragma once
#include <functional>
#include <memory>

#include "journal/lock.h"
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
  virtual Result<Standing> settle() = 0;
  // To be waited for; then hear() and settle() again.
  virtual std::vector<int> descriptors() const = 0;
  virtual std::optional<MonoTime> wake_at() const = 0;
  virtual Status hear(const std::vector<int>& readable) = 0;
  // Ends the agents' processes: the driver was asked to end, or `failure` ends it.
  virtual Status leave(const Error* failure) = 0;
};

// One kind of loop, as the driver's process knows it.
struct Drivable {
  const DrivenPaths& paths;
  std::function<Result<std::unique_ptr<DrivenWork>>(const Lock& lease)> begin;
  std::function<Result<Seq>()> last_seq;
};

// The driver's process: performs until the loop is at rest or it is asked to end, and sleeps in
// between. Returns at once when another process holds the lease.
Status drive(Os& os, const Drivable& loop);

}  // namespace pf
