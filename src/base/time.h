#pragma once
#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace pf {

using Duration = std::chrono::nanoseconds;

// What a calendar shows; may jump. Milliseconds since 1970 UTC.
struct WallTime {
  std::int64_t ms = 0;
  friend auto operator<=>(const WallTime&, const WallTime&) = default;
};

// Counts while the machine is awake, from its boot; never goes back.
struct MonoTime {
  Duration since_boot{};
  friend auto operator<=>(const MonoTime&, const MonoTime&) = default;
};
inline MonoTime operator+(MonoTime time, Duration by) { return {time.since_boot + by}; }
inline Duration operator-(MonoTime a, MonoTime b) { return a.since_boot - b.since_boot; }

// A moment that can be compared with the clock of the same boot only.
struct Moment {
  std::string boot;  // boot id, "" when never set
  std::int64_t mono_ms = 0;
  friend bool operator==(const Moment&, const Moment&) = default;
};

std::string iso8601(WallTime time);               // 2026-02-21T12:34:56Z
std::string yyyymmdd(WallTime time);              // 20260221, UTC
WallTime parse_iso8601(const std::string& text);  // 0 when it is no such text
// A date, a time to the second at least, and Z or an offset, such as 2026-02-21T12:34:56.7+01:00.
bool is_iso8601(std::string_view text);
std::string human_duration(Duration time);  // "4m 10s", "2h 5m", "3d 4h"

}  // namespace pf
