#include "agents/model_trouble.h"

#include <doctest/doctest.h>

#include "agents/testing.h"

namespace pf {
namespace {

constexpr WallTime kNow{1'794'700'800'000};  // 2026-11-15T00:00:00Z
using std::chrono::hours;

std::string until(std::string_view text, Duration offset = {}) {
  const char* kind = text.contains("usage limit") ? "codex" : "claude";
  const auto trouble = model_trouble(kind_named(kind).troubles, text, kNow, offset);
  if (!trouble) return "(none)";
  return trouble->until.ms == 0 ? "(unknown)" : iso8601(trouble->until);
}

}  // namespace

TEST_CASE("a usage limit is recognised, and until when") {
  REQUIRE(iso8601(kNow) == "2026-11-15T00:00:00Z");
  CHECK(until("You've hit your limit · resets 3pm (Europe/Berlin)") == "2026-11-15T15:00:00Z");
  CHECK(until("You've hit your limit · resets 3pm (Europe/Berlin)", hours(1)) ==
        "2026-11-15T14:00:00Z");
  CHECK(until("You've hit your session limit · resets 12:50am (America/Los_Angeles)", hours(-8)) ==
        "2026-11-15T08:50:00Z");
  CHECK(until("You've hit your limit · resets Dec 5 at 9pm (UTC)") == "2026-12-05T21:00:00Z");
  CHECK(until("■ You've hit your usage limit. Upgrade, or try again at Jan 5th, 2027 8:19 PM.") ==
        "2027-01-05T20:19:00Z");
  CHECK(until("■ You've hit your usage limit. Try again in 4 days 20 hours 9 minutes.") ==
        "2026-11-19T20:09:00Z");
  CHECK(until("You've hit your usage limit. Please try again in 6m20s.") == "2026-11-15T00:06:20Z");
  CHECK(until("You've hit your usage limit. Try again in 1.898s.") == "2026-11-15T00:00:02Z");
  CHECK(until("You've hit your usage limit. Try again in 1 hour, 5 seconds") ==
        "2026-11-15T01:00:05Z");
  CHECK(until("You've hit your usage limit. Try again in 3 sheep") == "(unknown)");
  CHECK(until("■ You've hit your usage limit. Try again later.") == "(unknown)");
  CHECK(until("You've hit your limit · resets Feb 31 at 9pm") == "(unknown)");
}

TEST_CASE("a time that has passed today is tomorrow's") {
  CHECK(until("You've hit your limit · resets 12am") == "2026-11-16T00:00:00Z");
}

TEST_CASE("a time that nobody waits for is cut") {
  CHECK(until("You've hit your limit · resets Jul 5th, 9999 8:19 PM") == "2027-01-16T00:00:00Z");
  CHECK(until("You've hit your usage limit. Try again in 9999 days") == "2027-01-16T00:00:00Z");
  CHECK(until("You've hit your usage limit. Try again in 99999999999 days") == "(unknown)");
}

TEST_CASE("an overloaded model is recognised on either screen") {
  const std::pair<const char*, const char*> screens[] = {
      {"claude", "❯ hello\n✻ 529 overloaded · Retrying in 1s · attempt 3/10\n❯ \n"},
      {"claude", "  ⎿  API Error: 529 {}\n❯ \n"},
      {"codex",
       "› hello\n■ unexpected status 529 <unknown status code>: x, url: http://h/\n› Ask\n"},
      {"codex", "■ exceeded retry limit, last status: 429 Too Many Requests\n"},
      {"codex", "◦ Reconnecting... 1/5 (3s • esc to interrupt)\n"}};
  for (const auto& [kind, screen] : screens) {
    CAPTURE(screen);
    const auto trouble = trouble_on_screen(kind_named(kind).troubles, screen, kNow, {});
    REQUIRE(trouble);
    CHECK(trouble->kind == ModelTrouble::Kind::overload);
  }
  CHECK(trouble_on_screen(kind_named("claude").troubles, "✻ 529 · Retrying in 1s · attempt 3/10\n",
                          kNow, {})
            ->retries);
  CHECK_FALSE(trouble_on_screen(kind_named("codex").troubles, "■ status 529\n", kNow, {})->retries);
}

TEST_CASE("what an agent says is no trouble of its model, nor is what scrolled up") {
  for (const char* words :
       {"● I made operator+ overloaded, as the task asks.\n❯ \n", "● I added a limit of 5\n❯ \n",
        "● The message is: you've hit your usage limit\n", ""})
    for (const char* kind : {"claude", "codex", "custom"})
      CHECK_FALSE(trouble_on_screen(kind_named(kind).troubles, words, kNow, {}));
  std::string old = "■ status 529\n";
  for (int i = 0; i < 20; ++i) old += "• done\n";
  CHECK_FALSE(trouble_on_screen(kind_named("codex").troubles, old, kNow, {}));
}

}  // namespace pf
