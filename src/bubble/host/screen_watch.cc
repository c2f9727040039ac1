#include "bubble/host/screen_watch.h"

#include <algorithm>

namespace pf {

void ScreenWatch::painted(const std::string& holder, MonoTime now) {
  screens_.try_emplace(holder, Painted{now, now}).first->second.last = now;
}

std::vector<ScreenWatch::Look> ScreenWatch::take_due(MonoTime now) {
  std::vector<Look> looks;
  for (auto screen = screens_.begin(); screen != screens_.end();) {
    auto& [holder, painted] = *screen;
    if (painted.due() > now) {
      ++screen;
      continue;
    }
    const bool still = painted.last + kRest <= now;
    looks.push_back({holder, still});
    painted.unseen = now;
    screen = still ? screens_.erase(screen) : std::next(screen);
  }
  return looks;
}

std::optional<MonoTime> ScreenWatch::wake_at() const {
  std::optional<MonoTime> next;
  for (const auto& [holder, painted] : screens_)
    next = next ? std::min(*next, painted.due()) : painted.due();
  return next;
}

}  // namespace pf
