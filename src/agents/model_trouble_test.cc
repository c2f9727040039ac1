#include "agents/model_trouble.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

constexpr WallTime kNow{1'794'700'800'000};  // 2026-11-15T00:00:00Z
using std::chrono::hours;

std::string until(std::string_view text, Duration offset = {}) {
  const auto trouble = model_trouble(text, kNow, offset);
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
  CHECK(until("■ You've hit your usage limit. Upgrade, or try again at Jul 5th, 2027 8:19 PM.") ==
        "2027-07-05T20:19:00Z");
  CHECK(until("■ You've hit your usage limit. Try again in 4 days 20 hours 9 minutes.") ==
        "2026-11-19T20:09:00Z");
  CHECK(until("■ You've hit your usage limit. Try again later.") == "(unknown)");
  CHECK(until("You've hit your limit · resets Feb 31 at 9pm") == "(unknown)");
}

TEST_CASE("a time that has passed today is tomorrow's") {
  CHECK(until("You've hit your limit · resets 12am") == "2026-11-16T00:00:00Z");
}

TEST_CASE("an overloaded model is recognised on either screen") {
  for (const char* screen :
       {"❯ hello\n✻ 529 overloaded · Retrying in 1s · attempt 3/10\n❯ \n",
        "› hello\n■ unexpected status 529 <unknown status code>: x, url: http://h/\n› Ask\n",
        "■ exceeded retry limit, last status: 429 Too Many Requests\n", "API Error: 529 {}"}) {
    CAPTURE(screen);
    const auto trouble = model_trouble(screen, kNow, {});
    REQUIRE(trouble);
    CHECK(trouble->kind == ModelTrouble::Kind::overload);
  }
}

TEST_CASE("other words are no trouble, nor is what scrolled up") {
  CHECK_FALSE(model_trouble("● I added a limit of 5\n❯ \n", kNow, {}));
  CHECK_FALSE(model_trouble("", kNow, {}));
  std::string old = "Overloaded\n";
  for (int i = 0; i < 20; ++i) old += "● done\n";
  CHECK_FALSE(model_trouble(old, kNow, {}));
}

}  // namespace pf
