#include <doctest/doctest.h>

#include "base/text.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "plan/console/make_watcher.h"
#include "plan/console/testing.h"

namespace pf::console {
namespace {

using namespace testing;

struct World {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1000};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};

  std::unique_ptr<PlanWatcher> watcher(Showing showing = Showing::best) {
    return make_watcher(os, showing);
  }
  std::string taken() { return std::exchange(env.out, {}); }
};

}  // namespace

TEST_CASE("plain lines where there is no terminal") {
  World world;
  const auto watcher = world.watcher();
  CHECK(watcher->input() == -1);
  watcher->say({"run.tool", "2026-02-21T12:34:56Z", "[coder:bash]", "make test\x1b[2J\nand more"});
  CHECK(world.taken() == "12:34:56 [coder:bash] make test<U+001B>[2J\n         and more\n");
  watcher->show(asking());
  const std::string asked = world.taken();
  CHECK(asked.contains(
      "awaiting_user_input (ask_user) · step 2 of 4: Check the password (needs-changes)"));
  CHECK(asked.contains("\n  ┌ the coder asks\n  │ Which hash should I take?"));
  CHECK(asked.contains("  └ answer: pairflow plan reply login --message \"…\"\n"));
  watcher->show(asking());
  CHECK(world.taken().empty());
  watcher->complain("refused");
  CHECK(world.env.err == "pairflow: refused\n");
}

TEST_CASE("JSON, one object a line") {
  World world;
  world.env.terminals = {Stream::in, Stream::out};
  const auto watcher = world.watcher(Showing::json);
  watcher->say({"said", "2026-02-21T12:34:56Z", "[coder]", "one\ntwo"});
  CHECK(world.taken() ==
        R"({"type":"said","ts":"2026-02-21T12:34:56Z","prefix":"[coder]","text":"one\ntwo"})"
        "\n");
  watcher->say({"user.reply", "2026-02-21T12:34:56Z", "[user]", "yes", Seq{7}});
  CHECK(world.taken().contains(R"("text":"yes","seq":7})"));
  watcher->show(asking());
  const auto state = parse_json(trim(world.taken()));
  REQUIRE(state);
  CHECK(pf::text_of(state->as_object(), "type") == "state");
  CHECK(pf::text_of(state->as_object(), "state") == "awaiting_user_input");
  CHECK(pf::text_of(state->at("question").as_object(), "who") == "coder");
  CHECK(state->at("steps").as_array().size() == 4);
  watcher->show(asking());
  CHECK(world.taken().empty());
}

TEST_CASE("the console on a terminal") {
  World world;
  world.env.terminals = {Stream::in, Stream::out};
  world.env.variables["TERM"] = "xterm-256color";
  auto watcher = world.watcher();
  CHECK(world.env.has_keys);
  CHECK(world.taken().starts_with("\x1b[?1049h"));
  watcher->show(asking());
  CHECK(world.taken().contains("\x1b[1;33;7m YOUR TURN \x1b[0m"));
  watcher->say({"said", "", "[coder]", "first"});
  CHECK(world.taken().empty());  // not yet: a flood is not drawn line by line
  CHECK(*world.env.wake <= std::chrono::milliseconds(30));
  CHECK(watcher->heard().empty());
  CHECK(world.taken().contains("first"));
  world.env.typed = "yes\r";
  const auto wishes = watcher->heard();
  REQUIRE(wishes.size() == 1);
  CHECK(wishes[0].text == "yes");
  world.taken();
  watcher->heard();
  CHECK(world.taken().size() < 100);  // nothing has changed
  world.env.columns = 120;
  watcher->resized();
  CHECK(world.taken().contains("Acceptance"));
  world.env.hung_up = true;
  REQUIRE(watcher->heard().size() == 1);
  CHECK(watcher->input() == -1);
  watcher.reset();
  CHECK(!world.env.has_keys);
  CHECK(world.taken().ends_with("\x1b[?1049l"));
}

TEST_CASE("a terminal that cannot be drawn on gets plain lines, and is told so") {
  World world;
  world.env.terminals = {Stream::in, Stream::out};
  world.env.variables["TERM"] = "dumb";
  const auto watcher = world.watcher();
  CHECK(watcher->input() == -1);
  CHECK(world.env.err ==
        "pairflow: there is no terminal to draw on (TERM is \"dumb\"); plain lines instead\n");
}

TEST_CASE("without colours") {
  World world;
  world.env.terminals = {Stream::in, Stream::out};
  world.env.variables = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  const auto watcher = world.watcher();
  watcher->show(working());
  CHECK(world.taken().contains("\x1b[1;7m CODER claude \x1b[0m"));
}

}  // namespace pf::console
