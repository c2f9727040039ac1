#include "bubble/host/screen_watch.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

using namespace std::chrono_literals;
using Looks = std::vector<ScreenWatch::Look>;

MonoTime at(Duration time) { return {time}; }

}  // namespace

TEST_CASE("a screen is looked at once when it has come to rest") {
  ScreenWatch watch;
  CHECK_FALSE(watch.wake_at());
  watch.painted("codex", at(1s));
  watch.painted("codex", at(2s));
  CHECK(watch.wake_at() == at(3500ms));
  CHECK(watch.take_due(at(3499ms)).empty());
  CHECK(watch.take_due(at(3500ms)) == Looks{{"codex", true}});
  CHECK(watch.take_due(at(9s)).empty());
  CHECK_FALSE(watch.wake_at());
}

TEST_CASE("one that never rests is looked at now and then") {
  ScreenWatch watch;
  int looks = 0;
  for (auto now = 0ms; now < 20s; now += 100ms) {
    watch.painted("claude", at(now));
    for (const auto& look : watch.take_due(at(now))) {
      CHECK_FALSE(look.still);
      ++looks;
    }
  }
  CHECK(looks == 4);
}

TEST_CASE("one screen at work does not hide another that rests") {
  ScreenWatch watch;
  watch.painted("codex", at(0s));
  for (auto now = 0ms; now <= 1500ms; now += 100ms) watch.painted("claude", at(now));
  CHECK(watch.take_due(at(1500ms)) == Looks{{"codex", true}});
}

TEST_CASE("what was painted just before a look is looked at again when it rests") {
  ScreenWatch watch;
  for (auto now = 0ms; now <= 3900ms; now += 100ms) watch.painted("codex", at(now));
  CHECK(watch.take_due(at(4s)) == Looks{{"codex", false}});
  CHECK(watch.wake_at() == at(5400ms));
  CHECK(watch.take_due(at(5400ms)) == Looks{{"codex", true}});
}

}  // namespace pf
