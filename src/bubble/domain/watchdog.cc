#include "bubble/domain/watchdog.h"

#include <algorithm>

#include "bubble/domain/evidence.h"

namespace pf::bubble {
namespace {

std::int64_t on_clock_of(const Moment& now, const Moment& moment) {
  return moment.boot == now.boot ? moment.mono_ms : 0;
}

const Hindrance* hindrance_of_active(const State& state) {
  const Agent* agent = state.active_agent ? state.agent(*state.active_agent) : nullptr;
  return agent != nullptr && agent->hindrance ? &*agent->hindrance : nullptr;
}

std::int64_t patience_ms(const State& state) {
  return std::int64_t{state.policy.watchdog_minutes} * 60'000;
}

}  // namespace

bool is_watched(const State& state) {
  if (state.phase != Phase::running) return false;
  if (state.active_role == Role::reviewer && wants_checks(state)) return false;
  const Hindrance* hindrance = hindrance_of_active(state);
  return hindrance == nullptr || hindrance->obstacle != Obstacle::dialog;
}

bool is_held_up(const State& state, WallTime wall) {
  const Hindrance* hindrance = hindrance_of_active(state);
  return hindrance != nullptr && !hindrance->until.empty() &&
         wall.ms < parse_iso8601(hindrance->until).ms + patience_ms(state);
}

std::int64_t watchdog_deadline_ms(const State& state, const Moment& sign, const Moment& now,
                                  WallTime wall) {
  const std::int64_t patience = patience_ms(state);
  const std::int64_t heard =
      std::max(on_clock_of(now, state.last_activity), on_clock_of(now, sign));
  std::int64_t deadline = heard + patience;
  if (state.turn_opened.boot == now.boot)  // else nobody knows how long it really was
    deadline = std::min(deadline, state.turn_opened.mono_ms + kLongestTurn * patience);
  if (!is_held_up(state, wall)) return deadline;
  const WallTime until = parse_iso8601(hindrance_of_active(state)->until);
  return std::max(deadline, now.mono_ms + until.ms - wall.ms + patience);
}

std::optional<Release> next_release(const State& state) {
  std::optional<Release> next;
  if (!has_session(state.phase)) return next;
  for (const Agent& agent : state.agents) {
    if (!agent.hindrance || agent.hindrance->until.empty()) continue;
    const WallTime at = parse_iso8601(agent.hindrance->until);
    if (!next || at < next->at) next = Release{agent.name, at};
  }
  return next;
}

}  // namespace pf::bubble
