#include "loop/viewer.h"

#include <algorithm>

#include "base/error_text.h"
#include "loop/kept_running.h"

namespace pf {
namespace {

constexpr std::size_t kToldAtOnce = 300;  // of a log that is already long

class Viewer {
 public:
  Viewer(Os& os, const Detached& driver, StreamTail tail, Viewed& viewed)
      : os_(os), driver_(os, driver), tail_(std::move(tail)), viewed_(viewed) {}

  Result<Left> run() {
    bell_ = TRY(os_.files.listen(driver_.process().paths.bells));
    signals_ = TRY(os_.env.watch_signals());
    TRY(ensure_running(os_, driver_.process()));
    for (;;) {
      TRY(hang_bell_again());
      bell_->silence();
      const Viewed::Look look = TRY(viewed_.look());
      TRY(tell(look.mark));
      if (look.over) return Left::over;
      if (is_asked_to_end()) return Left::by_user;  // before another process is started
      if (!look.wants_driver)
        driver_.forget();
      else if (auto kept = driver_.keep(); !kept)
        viewed_.complain(in_words(kept.error()));
      if (wait()) return Left::by_user;
    }
  }

 private:
  // The runtime directory may be deleted at any time.
  Status hang_bell_again() {
    const Detached& driver = driver_.process();
    if (TRY(os_.files.exists(driver.paths.bells))) return {};
    TRY(end_deaf(os_, driver));
    bell_ = TRY(os_.files.listen(driver.paths.bells));
    return {};
  }

  Status tell(const Mark& now) {
    const bool news = now.seq != tail_.mark().seq || !shown_;
    auto events = news ? TRY(viewed_.events(tail_.mark())) : std::vector<StreamLine>{};
    if (events.size() > kToldAtOnce) {
      events.erase(events.begin(), events.end() - kToldAtOnce);
      tail_.pass_over(events.front().seq);
    }
    for (const StreamLine& line : tail_.merge(std::move(events), now)) viewed_.say(line);
    shown_ = true;
    return news ? viewed_.show() : Status{};
  }

  // True when the user leaves.
  bool wait() {
    std::vector<int> others = {signals_->fd()};
    if (driver_.end() >= 0) others.push_back(driver_.end());
    if (viewed_.input() >= 0) others.push_back(viewed_.input());
    Duration time = kLongestSleep;
    if (const auto at = driver_.wake_at()) time = std::min(time, *at - os_.clock.mono());
    const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
    const auto woke = [&](int fd) { return std::ranges::find(readable, fd) != readable.end(); };
    if (driver_.end() >= 0 && woke(driver_.end())) driver_.forget();
    const bool leaves = woke(signals_->fd()) && is_asked_to_end();
    return (viewed_.input() >= 0 && woke(viewed_.input()) && viewed_.heard()) || leaves;
  }

  bool is_asked_to_end() {
    const SignalWatch::News news = signals_->take_news();
    if (news.resized) viewed_.resized();
    return news.end;
  }

  Os& os_;
  KeptRunning driver_;
  StreamTail tail_;
  Viewed& viewed_;
  std::unique_ptr<SignalWatch> signals_;
  std::unique_ptr<Bell> bell_;
  bool shown_ = false;
};

}  // namespace

Result<Left> attach(Os& os, const Detached& driver, StreamTail tail, Viewed& viewed) {
  return Viewer(os, driver, std::move(tail), viewed).run();
}

}  // namespace pf
