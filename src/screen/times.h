#pragma once
#include <optional>
#include <string>

#include "base/time.h"

// Times as people read them, and when their text changes.
namespace pf::screen {

// A text, and how long it stays true; nothing: for ever.
struct Passing {
  std::string text;
  std::optional<Duration> stays = {};
};

// "just now", "12m", "3h 5m", "2d 4h"
Passing age(Duration since);
// Whole minutes until the last one, then seconds: "5m", "60s", "1s", "now".
Passing countdown(Duration left);
// "12:34" on the day of `today`, else "20 Feb 12:34"; stays until that day is over.
Passing clock_time(WallTime time, WallTime today, Duration utc_offset);
// "12:34" on the day of `day`, else "20 Feb": six columns.
std::string short_time(WallTime time, WallTime day, Duration utc_offset);
// "21 Feb 2026 12:34"
std::string full_time(WallTime time, Duration utc_offset);

}  // namespace pf::screen
