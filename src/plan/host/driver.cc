#include "plan/host/driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_text.h"
#include "plan/host/performer.h"
#include "plan/host/stream.h"

namespace pf {
namespace {

constexpr std::size_t kToldAtOnce = 300;                 // of a log that is already long
constexpr Duration kStillThere = std::chrono::hours(1);  // a deleted repository rings nobody

plan::Command command_for(const PlanWish& wish) {
  using Kind = PlanWish::Kind;
  switch (wish.kind) {
    case Kind::force_coder: return plan::Force{plan::Role::coder, wish.text};
    case Kind::force_reviewer: return plan::Force{plan::Role::reviewer, wish.text};
    case Kind::reset_guard: return plan::ResetGuard{};
    case Kind::pause: return plan::Pause{};
    case Kind::resume: return plan::Resume{};
    case Kind::reset: return plan::Reset{};
    case Kind::reply:
    case Kind::leave: break;
  }
  return plan::Reply{wish.text, MessageId(wish.question)};
}

class Driver {
 public:
  Driver(PlanLoop& loop, PlanWatcher& watcher, const Lock& lease, std::unique_ptr<Bell> bell,
         std::unique_ptr<SignalWatch> screen, const RunStarter& starter, bool waits)
      : loop_(loop),
        os_(loop.os()),
        watcher_(watcher),
        performer_(loop, lease, starter,
                   [this](const StreamLine& line) {
                     (void)tell();  // what was logged before
                     watcher_.say(line);
                   }),
        bell_(std::move(bell)),
        signals_(std::move(screen)),
        waits_(waits) {}

  Status run() {
    Status done = go_on();
    if (auto left = performer_.leave(); !left && done) done = std::move(left);
    (void)tell();
    return done;
  }

 private:
  Status go_on() {
    while (!leaving_) {
      bell_->silence();
      const plan::State state = TRY(performer_.settle());
      TRY(tell());
      if (is_over(state)) return {};
      TRY(wait());
    }
    return {};
  }

  bool is_over(const plan::State& state) const {
    const plan::Run* run = state.current();
    const bool explains = run != nullptr && run->role == plan::Role::explainer && !run->ending;
    if (!waits_ && !plan::is_active(state.phase) && !explains) return true;
    return state.phase == plan::Phase::done && !performer_.is_running();
  }

  // What is new in the log, then where the plan stands.
  Status tell() {
    const plan::State state = TRY(loop_.load());
    if (told_.seq == state.mark.seq) return {};
    const auto events = TRY(loop_.events(told_));
    const std::size_t skipped = events.size() - std::min(events.size(), kToldAtOnce);
    for (std::size_t i = skipped; i < events.size(); ++i) watcher_.say(line_of(events[i]));
    told_ = state.mark;
    watcher_.show(plan_view(state, TRY(loop_.steps(state.policy.workspace))));
    return {};
  }

  Status wait() {
    std::vector<int> others = performer_.descriptors();
    others.push_back(signals_->fd());
    if (watcher_.input() >= 0) others.push_back(watcher_.input());
    Duration time = kStillThere;
    if (const auto at = performer_.wake_at()) time = std::min(time, *at - os_.clock.mono());
    const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
    const auto woke = [&](int fd) { return std::ranges::find(readable, fd) != readable.end(); };
    TRY(performer_.hear(readable));
    if (woke(signals_->fd())) {
      const SignalWatch::News news = signals_->take_news();
      if (news.resized) watcher_.resized();
      leaving_ |= news.end;
    }
    if (watcher_.input() >= 0 && woke(watcher_.input()))
      for (const PlanWish& wish : watcher_.heard()) fulfil(wish);
    return {};
  }

  void fulfil(const PlanWish& wish) {
    if (wish.kind == PlanWish::Kind::leave) {
      leaving_ = true;
      return;
    }
    const Principal user{PrincipalKind::human};
    const auto done =
        loop_.execute({RequestId(os_.random.token(16)), user, wish.turn}, command_for(wish));
    if (!done) watcher_.complain(in_words(done.error()));
  }

  PlanLoop& loop_;
  Os& os_;
  PlanWatcher& watcher_;
  PlanPerformer performer_;
  std::unique_ptr<Bell> bell_;
  std::unique_ptr<SignalWatch> signals_;
  Mark told_;
  bool waits_;
  bool leaving_ = false;
};

}  // namespace

Result<Lock> take_plan(PlanLoop& loop) {
  const PlanPaths& paths = loop.paths();
  auto lease = TRY(Lock::try_take(loop.os(), paths.lease));
  if (lease) return std::move(*lease);
  return fail(Exit::refused, fmt::format("the plan '{}' is driven already", paths.feature.str()),
              fmt::format("by process {}", TRY(Lock::last_holder(loop.os(), paths.lease))),
              fmt::format("look at it: pairflow plan status {}", paths.feature.str()));
}

Status drive_plan(PlanLoop& loop, const Lock& lease, PlanWatcher& watcher, bool waits,
                  const RunStarter& starter) {
  Os& os = loop.os();
  auto bell = TRY(os.files.listen(loop.paths().bells));
  auto screen = TRY(os.env.watch_signals());
  return Driver(loop, watcher, lease, std::move(bell), std::move(screen), starter, waits).run();
}

}  // namespace pf
