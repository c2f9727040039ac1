#pragma once
#include "bubble/domain/state.h"

// When the silence of the active agent is too long. Pure.
namespace pf::bubble {

// The silence counts: not while a reviewer may be waiting for our own checks, which have a time
// limit themselves, and not while a dialog waits for the human, who knows.
bool is_watched(const State& state);

// An agent that shows signs of life may work longer than the watchdog's time, but not for ever.
inline constexpr int kLongestTurn = 12;  // times the watchdog's

// The moment, by the clock that `now` was read from, at which the human is to be asked. `sign` is
// the last sign of life beside the journal; what happened before the last boot counts from it.
std::int64_t watchdog_deadline_ms(const State& state, const Moment& sign, const Moment& now,
                                  WallTime wall);

// The active agent may not go on yet, and we know until when; it then has the watchdog's time.
bool is_held_up(const State& state, WallTime wall);

// The agent that may go on at a known time, and when; nothing when there is none.
struct Release {
  AgentName agent;
  WallTime at;
};
std::optional<Release> next_release(const State& state);

}  // namespace pf::bubble
