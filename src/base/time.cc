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

std::string human_duration(Duration time) {
  const auto s = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (s < 60) return fmt::format("{}s", s < 0 ? 0 : s);
  if (s < 3600) return fmt::format("{}m {}s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{}h {}m", s / 3600, s % 3600 / 60);
  return fmt::format("{}d {}h", s / 86400, s % 86400 / 3600);
}

}  // namespace pf
