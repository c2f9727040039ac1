#include "loop/driver.h"

#include <algorithm>

#include "loop/detached.h"

namespace pf {
namespace {

class Driver {
 public:
  Driver(Os& os, std::unique_ptr<Bell> bell, std::unique_ptr<SignalWatch> signals)
      : os_(os), bell_(std::move(bell)), signals_(std::move(signals)) {}

  // The last event when it came to rest; nothing when it was asked to end.
  Result<std::optional<Seq>> perform(DrivenWork& work) {
    auto rest = go_on(work);
    if (rest && *rest) return rest;
    auto left = work.leave(rest ? nullptr : &rest.error());
    if (rest && !left) return std::unexpected(left.error());
    return rest;
  }

 private:
  Result<std::optional<Seq>> go_on(DrivenWork& work) {
    for (;;) {
      bell_->silence();
      const auto standing = TRY(work.settle());
      os_.processes.tell_ready("ready");
      if (standing.rests) return standing.seq;
      if (TRY(wait(work))) return std::nullopt;
    }
  }

  // True when it is asked to end.
  Result<bool> wait(DrivenWork& work) {
    std::vector<int> others = work.descriptors();
    others.push_back(signals_->fd());
    Duration time = kLongestSleep;
    if (const auto at = work.wake_at()) time = std::min(time, *at - os_.clock.mono());
    const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
    TRY(work.hear(readable));
    if (std::ranges::find(readable, signals_->fd()) == readable.end()) return false;
    return signals_->take_news().end;
  }

  Os& os_;
  std::unique_ptr<Bell> bell_;
  std::unique_ptr<SignalWatch> signals_;
};

}  // namespace

// A command that came while this was about to end found the lease taken and left its effects to us:
// so what there is is looked at once more after it is given back.
Status drive(Os& os, const Drivable& loop) {
  auto bell = TRY(os.files.listen(loop.paths.bells));  // the holder of the lease can be reached
  Driver driver(os, std::move(bell), TRY(os.env.watch_signals()));
  for (;;) {
    std::optional<Seq> seen;
    {
      const auto lease = TRY(take_lease(os, loop.paths.lease));
      if (!lease) return {};
      const auto work = TRY(loop.begin(*lease));
      seen = TRY(driver.perform(*work));
    }
    if (!seen || TRY(loop.last_seq()) == *seen) return {};
  }
}

}  // namespace pf
