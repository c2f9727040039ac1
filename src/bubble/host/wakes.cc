#include "bubble/host/wakes.h"

#include <algorithm>

#include "bubble/domain/watchdog.h"

namespace pf {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kFirstRetry{250};  // an agent's program is up within a second
constexpr milliseconds kLongestRetry{60'000};

}  // namespace

SupervisorCore::Plan SupervisorCore::step(const bubble::State& state, bool retry,
                                          const Now& given) {
  const Moment& now = given.moment;
  Plan plan;
  wake_at_.reset();
  const auto wake_by = [&](milliseconds at) {
    const MonoTime time{at};
    wake_at_ = wake_at_ ? std::min(*wake_at_, time) : time;
  };
  if (bubble::is_watched(state)) {
    const milliseconds deadline{bubble::watchdog_deadline_ms(state, given.sign, now, given.wall)};
    plan.check_idle = milliseconds(now.mono_ms) >= deadline;
    if (!plan.check_idle) wake_by(deadline);
  }
  if (const auto release = bubble::next_release(state)) {
    if (release->at <= given.wall)
      plan.release = release->agent;
    else
      wake_by(milliseconds(now.mono_ms + release->at.ms - given.wall.ms));
  }
  if (given.due) wake_at_ = wake_at_ ? std::min(*wake_at_, *given.due) : *given.due;
  failures_ = retry ? failures_ + 1 : 0;
  if (retry)
    wake_by(milliseconds(now.mono_ms) +
            std::min(kLongestRetry, kFirstRetry * (1 << std::min(failures_ - 1, 8))));
  for (const bubble::Question& question : state.questions)
    if (question.seq > announced_) plan.notices.push_back(Notice::waiting_human);
  for (const bubble::Agent& agent : state.agents)
    if (agent.hindrance && agent.hindrance->seq > announced_)
      plan.notices.push_back(Notice::waiting_human);
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
