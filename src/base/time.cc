#include "base/time.h"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>

namespace pf {
namespace {

std::tm utc(WallTime time) {
  const auto seconds = static_cast<std::time_t>(time.ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return parts;
}

}  // namespace

std::string iso8601(WallTime time) {
  const std::tm t = utc(time);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.tm_year + 1900, t.tm_mon + 1,
                     t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}

std::string yyyymmdd(WallTime time) {
  const std::tm t = utc(time);
  return fmt::format("{:04}{:02}{:02}", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
}

WallTime parse_iso8601(const std::string& text) {
  std::tm t{};
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ", &t.tm_year, &t.tm_mon, &t.tm_mday,
                  &t.tm_hour, &t.tm_min, &t.tm_sec) != 6)
    return {};
  t.tm_year -= 1900;
  t.tm_mon -= 1;
  return {static_cast<std::int64_t>(timegm(&t)) * 1000};
}

bool is_iso8601(std::string_view text) {
  const auto number = [&](std::size_t digits, char behind) -> int {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
      value = value * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    if (behind == 0) return value;
    if (!text.starts_with(behind)) return -1;
    text.remove_prefix(1);
    return value;
  };
  const int year = number(4, '-'), month = number(2, '-'), day = number(2, 'T');
  const int hour = number(2, ':'), minute = number(2, ':'), second = number(2, 0);
  if (year < 0 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 60)
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  if (text.starts_with('.')) {
    const auto end = text.find_first_not_of("0123456789", 1);
    if (end == std::string_view::npos || end == 1) return false;
    text.remove_prefix(end);
  }
  if (text == "Z") return true;
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  text.remove_prefix(1);
  const int hours = number(2, ':'), minutes = number(2, 0);
  return text.empty() && hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59;
}

std::string human_duration(Duration time) {
  const auto s = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (s < 60) return fmt::format("{}s", s < 0 ? 0 : s);
  if (s < 3600) return fmt::format("{}m {}s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{}h {}m", s / 3600, s % 3600 / 60);
  return fmt::format("{}d {}h", s / 86400, s % 86400 / 3600);
}

}  // namespace pf
