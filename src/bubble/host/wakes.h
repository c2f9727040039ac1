#pragma once
#include "bubble/domain/state.h"
#include "notify/sound.h"

namespace pf {

// What the supervisor does when, without doing it: pure, driven by the loop and by tests.
class SupervisorCore {
 public:
  // What is true already at the start is no news: nothing is announced twice.
  explicit SupervisorCore(const bubble::State& first) : announced_(first.last_seq) {}

  struct Plan {
    bool check_idle = false;           // the watchdog's time is up
    std::optional<AgentName> release;  // what held it up is over by the clock
    std::vector<Notice> notices;       // at most once per cause
    bool finish = false;               // nothing is left to supervise
  };
  struct Now {
    Moment moment;
    WallTime wall = {};
    Moment sign = {};                  // the active agent's last sign of life beside the journal
    std::optional<MonoTime> due = {};  // an effect is to be finished then
  };
  // After everything outstanding was settled. `retry`: something failed that no event announces.
  Plan step(const bubble::State& state, bool retry, const Now& given);

  // When to wake without any event; nothing: sleep until somebody rings.
  std::optional<MonoTime> wake_at() const { return wake_at_; }

 private:
  Seq announced_;
  int failures_ = 0;
  std::optional<MonoTime> wake_at_;
};

}  // namespace pf
