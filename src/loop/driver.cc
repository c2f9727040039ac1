#include "loop/driver.h"

#include <algorithm>

#include "loop/detached.h"

namespace pf {
namespace {

// Somebody who only asks whether the lease is held is in the way for an instant.
constexpr Duration kInstant = std::chrono::milliseconds(200);

class Driver {
 public:
  explicit Driver(Os& os) : os_(os) {}

  // A command that came while this was about to end found the lease taken and left its effects to
  // us: so what there is is looked at once more after it is given back.
  Status run(const Drivable& loop) {
    bell_ = TRY(os_.files.listen(loop.paths.bells));  // the holder of the lease can be reached
    if (loop.leaves) signals_ = TRY(os_.env.watch_signals());
    for (;;) {
      std::optional<Seq> seen;
      {
        auto lease = TRY(Lock::try_take(os_, loop.paths.lease));
        if (!lease)
          if (auto waited = Lock::take(os_, loop.paths.lease, kInstant)) lease = std::move(*waited);
        if (!lease) {
          os_.processes.tell_ready("held");
          return {};
        }
        const auto work = TRY(loop.begin(*lease));
        seen = TRY(perform(*work, *lease));
      }
      if (!seen || TRY(loop.last_seq()) == *seen) return {};
    }
  }

 private:
  // The last event when it came to rest; nothing when it was asked to end.
  Result<std::optional<Seq>> perform(DrivenWork& work, const Lock& lease) {
    auto rest = go_on(work, lease);
    if (rest && *rest) return rest;
    auto left = work.leave(rest ? nullptr : &rest.error());
    if (rest && !left) return std::unexpected(left.error());
    return rest;
  }

  Result<std::optional<Seq>> go_on(DrivenWork& work, const Lock& lease) {
    for (;;) {
      bell_->silence();
      if (!TRY(lease.in_place())) return std::nullopt;  // another one performs, or will
      const auto standing = TRY(work.advance());
      os_.processes.tell_ready("ready");
      if (standing.rests) return standing.seq;
      if (TRY(wait(work))) return std::nullopt;
    }
  }

  // Until there may be something to perform; true when it is asked to end.
  Result<bool> wait(DrivenWork& work) {
    for (;;) {
      std::vector<int> others = work.descriptors();
      if (signals_) others.push_back(signals_->fd());
      if (bell_->fd() >= 0) others.push_back(bell_->fd());
      Duration time = kLongestSleep;
      if (const auto at = work.wake_at()) time = std::min(time, *at - os_.clock.mono());
      const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
      const auto woke = [&](int fd) { return std::ranges::find(readable, fd) != readable.end(); };
      const bool news = TRY(work.hear(readable));
      if (signals_ && woke(signals_->fd()) && signals_->take_news().end) return true;
      if (news || woke(bell_->fd())) return false;
    }
  }

  Os& os_;
  std::unique_ptr<Bell> bell_;
  std::unique_ptr<SignalWatch> signals_;  // none: a signal ends us
};

}  // namespace

Status drive(Os& os, const Drivable& loop) { return Driver(os).run(loop); }

Status settle(const std::function<Result<bool>()>& step) {
  constexpr int kMost = 500;  // a landing of the roles takes some twenty
  for (int steps = 0; steps < kMost; ++steps)
    if (!TRY(step())) return {};
  return fail(Exit::machine, "what is to be done does not come to rest",
              "it changes each time it is looked at",
              "this is a bug in pairflow: see the loop's log");
}

}  // namespace pf
