#include "role/host/driver.h"

#include <fmt/format.h>

#include <algorithm>

namespace pf {
namespace {

constexpr Duration kStillThere = std::chrono::hours(1);  // a deleted repository rings nobody

class Driver {
 public:
  Driver(RoleLoop& loop, RoleWatcher& watcher, const Lock& lease, std::unique_ptr<Bell> bell,
         std::unique_ptr<SignalWatch> screen, Mark told)
      : loop_(loop),
        watcher_(watcher),
        crew_(loop, lease,
              [this](const std::string& prefix, const std::string& text) {
                (void)tell();  // what was logged before
                watcher_.say(prefix, text);
              }),
        bell_(std::move(bell)),
        signals_(std::move(screen)),
        told_(std::move(told)) {}

  Status run() {
    Status done = go_on();
    if (leaving_ || !done)
      if (auto left = crew_.leave(leaving_ ? "you have ended the run" : done.error().what);
          !left && done)
        done = std::move(left);
    (void)tell();
    return done;
  }

 private:
  Status go_on() {
    while (!leaving_) {
      bell_->silence();
      const role::State state = TRY(crew_.settle());
      TRY(tell());
      if (state.automation.empty() && !crew_.is_running()) return {};
      if (TRY(crew_.tend(state))) continue;
      TRY(wait());
    }
    return {};
  }

  Status tell() {
    const role::State state = TRY(loop_.load());
    if (told_.seq == state.mark.seq) return {};
    for (const role::Event& event : TRY(loop_.events(told_))) watcher_.tell(event);
    told_ = state.mark;
    return {};
  }

  Status wait() {
    std::vector<int> others = crew_.descriptors();
    others.push_back(signals_->fd());
    Duration time = kStillThere;
    if (const auto at = crew_.wake_at()) time = std::min(time, *at - loop_.os().clock.mono());
    const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
    TRY(crew_.hear(readable));
    if (std::ranges::find(readable, signals_->fd()) != readable.end())
      leaving_ |= signals_->take_news().end;
    return {};
  }

  RoleLoop& loop_;
  RoleWatcher& watcher_;
  RoleCrew crew_;
  std::unique_ptr<Bell> bell_;
  std::unique_ptr<SignalWatch> signals_;
  Mark told_;
  bool leaving_ = false;
};

// A run that was interrupted goes on under its name.
std::string run_id(RoleLoop& loop, const role::State& state) {
  return state.automation.empty() ? "run-" + loop.os().random.token(6) : state.automation;
}

}  // namespace

Status drive_roles(RoleLoop& loop, RoleWatcher& watcher, const Request& request) {
  Os& os = loop.os();
  const RolePaths& paths = loop.paths();
  auto bell = TRY(os.files.listen(paths.bells));
  auto lease = TRY(Lock::try_take(os, paths.lease));
  if (!lease)
    return fail(Exit::refused, "the roles are driven already",
                fmt::format("by process {}", TRY(Lock::last_holder(os, paths.lease))),
                "look at them: pairflow role status");
  auto screen = TRY(os.env.watch_signals());
  const role::State state = TRY(loop.load());
  TRY(loop.execute(request, role::Automate{run_id(loop, state)}));
  return Driver(loop, watcher, *lease, std::move(bell), std::move(screen), state.mark).run();
}

}  // namespace pf
