#include "screen/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pf::screen {
namespace {

using namespace std::chrono;

constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

using Local = sys_time<milliseconds>;  // of a clock that shows the local time

Local local(WallTime time, Duration utc_offset) {
  return Local(milliseconds(time.ms) + duration_cast<milliseconds>(utc_offset));
}

std::string hours_minutes(Local time) {
  const hh_mm_ss parts(time - floor<days>(time));
  return fmt::format("{:02}:{:02}", parts.hours().count(), parts.minutes().count());
}

std::string day_month(Local time) {
  const year_month_day date(floor<days>(time));
  return fmt::format("{} {}", static_cast<unsigned>(date.day()),
                     kMonths[static_cast<unsigned>(date.month()) - 1]);
}

// Until a whole number of `step` has passed.
Duration until_next(Duration since, Duration step) { return step - since % step; }

// Until a whole number of `step` is left.
Duration until_fewer(Duration left, Duration step) {
  return left % step == Duration::zero() ? step : left % step;
}

template <class Step>
auto rounded_up(Duration left) {
  return ceil<Step>(left).count();
}

}  // namespace

Passing age(Duration since) {
  since = std::max(since, Duration::zero());
  if (since < 1min) return {"just now", 1min - since};
  if (since < 1h) return {fmt::format("{}m", since / 1min), until_next(since, 1min)};
  if (since < 24h)
    return {fmt::format("{}h {}m", since / 1h, since % 1h / 1min), until_next(since, 1min)};
  return {fmt::format("{}d {}h", since / 24h, since % 24h / 1h), until_next(since, 1h)};
}

Passing countdown(Duration left) {
  if (left <= Duration::zero()) return {"now"};
  if (left <= 1min) return {fmt::format("{}s", rounded_up<seconds>(left)), until_fewer(left, 1s)};
  return {fmt::format("{}m", rounded_up<minutes>(left)), until_fewer(left, 1min)};
}

Passing clock_time(WallTime time, WallTime today, Duration utc_offset) {
  const Local shown = local(time, utc_offset);
  const Local now = local(today, utc_offset);
  if (floor<days>(shown) != floor<days>(now))
    return {fmt::format("{} {}", day_month(shown), hours_minutes(shown))};
  return {hours_minutes(shown), floor<days>(now) + days(1) - now};
}

std::string short_time(WallTime time, WallTime day, Duration utc_offset) {
  const Local shown = local(time, utc_offset);
  const bool same = floor<days>(shown) == floor<days>(local(day, utc_offset));
  return fmt::format("{:<6}", same ? hours_minutes(shown) : day_month(shown));
}

std::string full_time(WallTime time, Duration utc_offset) {
  const Local shown = local(time, utc_offset);
  return fmt::format("{} {} {}", day_month(shown),
                     static_cast<int>(year_month_day(floor<days>(shown)).year()),
                     hours_minutes(shown));
}

}  // namespace pf::screen
