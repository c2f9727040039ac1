#include "agents/model_trouble.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <vector>

#include "agents/sight.h"
#include "base/text.h"

namespace pf {
namespace {

// What services say, whatever program passes it on: an agent of kind custom may be any of them. In
// lower case.
constexpr std::array<std::string_view, 6> kLimits = {
    "hit your usage limit", "hit your session limit", "hit your weekly limit",
    "hit your limit",       "usage limit reached",    "limit reached ∙ resets"};
constexpr std::array<std::string_view, 8> kOverloads = {
    "overloaded", "status 529",    "status: 429",     "status 503",
    "api error",  "· retrying in", "reconnecting...", "stream disconnected before"};
constexpr std::array<std::string_view, 2> kRetries = {"retrying in", "reconnecting..."};
constexpr std::array<std::string_view, 8> kOrnaments = {"⎿", "●", "✻", "✽", "✶", "·", "•", "◦"};
constexpr Duration kLongestWait = std::chrono::hours(24 * 62);
constexpr std::size_t kTroubleLines = 14;
constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};

std::optional<int> number_at(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Of "days", "h", "minutes", "s", …
std::optional<Duration> unit_of(std::string_view word) {
  using namespace std::chrono;
  if (word == "d" || word.starts_with("day")) return hours(24);
  if (word == "h" || word.starts_with("hour")) return hours(1);
  if (word == "m" || word.starts_with("min")) return minutes(1);
  if (word == "s" || word.starts_with("sec")) return seconds(1);
  return std::nullopt;
}

// "again in 5 days 22 hours 11 minutes", "again in 6m0s", "again in 1.898s"
std::optional<Duration> span_in(std::string_view text) {
  const auto at = text.find("again in ");
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + 9);
  Duration span{};
  for (bool some = false;;) {
    text = trim(text);
    auto number = number_at(text);
    if (number && text.starts_with('.')) {  // a part of one more
      text.remove_prefix(std::min(text.size(), text.find_first_not_of("0123456789", 1)));
      ++*number;
    }
    text = trim(text);
    const auto word = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
    const auto unit = unit_of(word);
    if (!number || *number < 0 || *number > 10'000 || !unit)
      return some ? std::optional(span) : std::nullopt;
    span += *unit * *number;
    some = true;
    text.remove_prefix(word.size());
    if (text.starts_with(',')) text.remove_prefix(1);
  }
}

struct TimeOfDay {
  std::optional<std::chrono::year_month_day> date;
  int hour = 0, minute = 0;
};

// "3:05 PM", "9pm", "13:20"
bool read_time(std::string_view word, std::string_view next, TimeOfDay& clock) {
  const auto hour = number_at(word);
  if (!hour || *hour > 24) return false;
  bool told = false;
  clock.minute = 0;
  if (word.starts_with(':')) {
    word.remove_prefix(1);
    const auto minute = number_at(word);
    if (!minute || *minute > 59) return false;
    clock.minute = *minute;
    told = true;
  }
  const std::string_view half = word.empty() ? next : word;
  const bool am = half.starts_with("am"), pm = half.starts_with("pm");
  if (!told && !am && !pm) return false;
  clock.hour = *hour % (am || pm ? 12 : 24) + (pm ? 12 : 0);
  return true;
}

// "resets 3pm", "resets May 5 at 9pm", "try again at Jul 5th, 2026 8:19 PM"
std::optional<TimeOfDay> clock_in(std::string_view text, std::chrono::year this_year) {
  auto at = text.find("resets ");
  if (at == std::string_view::npos) at = text.find("again at ");
  if (at == std::string_view::npos) at = text.find("reset at ");
  if (at == std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> words;
  for (const auto word : split(text.substr(at), ' '))
    if (!word.empty()) words.push_back(word);
  TimeOfDay clock;
  std::optional<unsigned> month;
  for (std::size_t i = 1; i < words.size() && i < 10; ++i) {
    std::string_view word = words[i];
    const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
    const auto named = std::ranges::find_if(
        kMonths, [&](std::string_view name) { return word.starts_with(name); });
    if (named != kMonths.end()) {
      month = static_cast<unsigned>(named - kMonths.begin()) + 1;
      continue;
    }
    if (month && !clock.date) {
      const auto day = number_at(word);
      if (!day) return std::nullopt;
      clock.date =
          this_year / std::chrono::month(*month) / std::chrono::day(static_cast<unsigned>(*day));
      continue;
    }
    std::string_view digits = word;
    if (const auto year = number_at(digits); clock.date && year && *year > 2000) {
      clock.date = std::chrono::year(*year) / clock.date->month() / clock.date->day();
      continue;
    }
    if (read_time(word, next, clock)) return clock;
  }
  return std::nullopt;
}

WallTime end_of(std::string_view text, WallTime now, Duration utc_offset) {
  using namespace std::chrono;
  if (const auto span = span_in(text)) return {now.ms + duration_cast<milliseconds>(*span).count()};
  const sys_time<milliseconds> local{milliseconds(now.ms) +
                                     duration_cast<milliseconds>(utc_offset)};
  const year_month_day today{floor<days>(local)};
  const auto clock = clock_in(text, today.year());
  if (!clock || (clock->date && !clock->date->ok())) return {};
  sys_time<milliseconds> end =
      sys_days(clock->date.value_or(today)) + hours(clock->hour) + minutes(clock->minute);
  if (!clock->date && end <= local) end += days(1);
  return {(end - duration_cast<milliseconds>(utc_offset)).time_since_epoch().count()};
}

bool is_own(const Troubles& words, std::string_view line) {
  const auto plain = stripped(line, kOrnaments, false);
  return std::ranges::any_of(words.on_screen, [&](const Troubles::Line& own) {
    return plain.starts_with(own.begins) && plain.contains(own.has);
  });
}

bool has_one(std::string_view line, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view some) { return line.contains(some); });
}

}  // namespace

std::optional<ModelTrouble> model_trouble(const Troubles& words, std::string_view text,
                                          WallTime now, Duration utc_offset) {
  for (const auto line : split(text, '\n')) {
    const std::string small = lower(line);
    const bool limit = has_one(small, kLimits) || has_one(small, words.limits);
    if (!limit && !has_one(small, words.overloads) && !has_one(small, kOverloads)) continue;
    ModelTrouble trouble{limit ? ModelTrouble::Kind::limit : ModelTrouble::Kind::overload,
                         clip(printable(trim(line)), 300)};
    trouble.retries =
        has_one(small, kRetries) || (!words.retries.empty() && small.contains(words.retries));
    if (limit) trouble.until = end_of(small, now, utc_offset);
    const std::int64_t latest =
        now.ms + std::chrono::duration_cast<std::chrono::milliseconds>(kLongestWait).count();
    if (trouble.until.ms > latest) trouble.until.ms = latest;
    return trouble;
  }
  return std::nullopt;
}

std::optional<ModelTrouble> trouble_on_screen(const Troubles& words, std::string_view screen,
                                              WallTime now, Duration utc_offset) {
  std::vector<std::string_view> lines;
  for (const auto line : split(screen, '\n'))
    if (!trim(line).empty()) lines.push_back(line);
  if (lines.size() > kTroubleLines)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kTroubleLines));
  for (const auto line : lines)
    if (is_own(words, line))
      if (auto trouble = model_trouble(words, line, now, utc_offset)) return trouble;
  return std::nullopt;
}

}  // namespace pf
