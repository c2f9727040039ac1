#include "supervisor/core.h"

#include <algorithm>

#include "bubble/evidence.h"

namespace pf {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kFirstRetry{250};  // an agent's program is up within a second
constexpr milliseconds kLongestRetry{60'000};

// The moment the watchdog bites; after a reboot it counts from the boot.
milliseconds watchdog_deadline(const bubble::State& state, const Moment& now) {
  const std::int64_t since = state.last_activity.boot == now.boot ? state.last_activity.mono_ms : 0;
  return milliseconds(since) + std::chrono::minutes(state.policy.watchdog_minutes);
}

}  // namespace

SupervisorCore::Plan SupervisorCore::step(const bubble::State& state, bool retry,
                                          const Moment& now) {
  Plan plan;
  wake_at_.reset();
  const auto wake_by = [&](milliseconds at) {
    const MonoTime time{at};
    wake_at_ = wake_at_ ? std::min(*wake_at_, time) : time;
  };
  if (bubble::is_watched(state)) {
    const milliseconds deadline = watchdog_deadline(state, now);
    plan.check_idle = milliseconds(now.mono_ms) >= deadline;
    if (!plan.check_idle) wake_by(deadline);
  }
  failures_ = retry ? failures_ + 1 : 0;
  if (retry)
    wake_by(milliseconds(now.mono_ms) +
            std::min(kLongestRetry, kFirstRetry * (1 << std::min(failures_ - 1, 8))));
  for (const bubble::Question& question : state.questions)
    if (question.seq > announced_) plan.notices.push_back(Notice::waiting_human);
  if (plan.notices.size() > 1) plan.notices.resize(1);
  if (state.phase == bubble::Phase::ready && state.turn > announced_)
    plan.notices.push_back(Notice::converged);
  announced_ = std::max(announced_, state.last_seq);
  plan.finish = bubble::is_final(state.phase)             ? state.closed
                : state.phase == bubble::Phase::preparing ? !state.trouble.empty()
                                                          : !bubble::has_session(state.phase);
  return plan;
}

}  // namespace pf
