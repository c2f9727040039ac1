#include <doctest/doctest.h>

#include "agents/scripted/player.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

const ScenarioTurn& turn_of(const Scenario& scenario, const char* role, int round) {
  const auto at = find_turn(scenario.turns, {"anybody", role, round}, {});
  REQUIRE(at);
  return scenario.turns[*at];
}

using Words = std::vector<std::string>;

const Words& command_of(const ScenarioTurn& turn, std::string_view key) {
  REQUIRE(turn.ending.key == key);
  return turn.ending.command;
}

struct Stage {
  TempDirectory worktree;
  PosixOs posix;
  Os os = posix.os();

  Finished run(std::vector<std::string> argv) {
    return os.processes.run({.argv = std::move(argv), .directory = worktree.path()}).value();
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    const auto entries = os.files.list(worktree.path()).value();
    for (const Entry& entry : entries) all.push_back(entry.name);
    return all;
  }
};

}  // namespace

TEST_CASE("the demo tells of one P1, its fix and two clean reviews") {
  const Scenario demo = parse_scenario("demo", demo_scenario()).value();
  CHECK(!command_of(turn_of(demo, "implementer", 1), "pass").at(2).empty());
  const Words& review = command_of(turn_of(demo, "reviewer", 1), "pass");
  REQUIRE(review.size() == 5);
  CHECK(review[3] == "--finding");
  CHECK(review[4].starts_with("P1:"));
  CHECK(review[4].ends_with(" @greet.sh:3"));
  const Words& fix = command_of(turn_of(demo, "implementer", 2), "pass");
  REQUIRE(fix.size() == 7);
  CHECK(fix[3] == "--fixed");
  CHECK(fix[4] == "F1.1");
  CHECK(fix[5] == "--package");
  const Words& clean = command_of(turn_of(demo, "reviewer", 2), "pass");
  REQUIRE(clean.size() == 4);
  CHECK(clean[3] == "--no-findings");
  CHECK(!command_of(turn_of(demo, "reviewer", 3), "converged").at(2).empty());
  CHECK(!command_of(turn_of(demo, "implementer", 4), "ask_human").empty());
}

TEST_CASE("the demo sends the first step of a plan back once and approves all the others") {
  const Scenario demo = parse_scenario("demo", demo_scenario()).value();
  const auto run_of = [&](const char* role, const char* step, int round) {
    const auto at = find_turn(demo.runs, {"anybody", role, round, step}, {});
    return demo.runs.at(at.value()).ending.key;
  };
  for (const char* step : {"1", "2", "last-step"})
    for (const int round : {1, 2, 3}) {
      const bool first = std::string_view(step) == "1" && round == 1;
      CHECK(run_of("coder", step, round) == "request_review");
      CHECK(run_of("reviewer", step, round) == (first ? "request_changes" : "approve"));
    }
  CHECK(run_of("explainer", "", 1) == "nothing");
}

TEST_CASE("the demo's own test fails on the first tree and passes on the second") {
  const Scenario demo = parse_scenario("demo", demo_scenario()).value();
  Stage stage;
  REQUIRE(make_edits(stage.os, stage.worktree.path(), turn_of(demo, "implementer", 1)));
  const auto before = stage.names();
  const auto red = stage.run(turn_of(demo, "reviewer", 1).run);
  CHECK(red.code == 1);
  CHECK(red.out.contains("ok       Hello, Ada!"));
  CHECK(red.out.contains("heard: Hello, greet.sh!"));
  CHECK(stage.run({"sed", "-n", "3p", "greet.sh"}).out == "for name in $*; do\n");

  REQUIRE(make_edits(stage.os, stage.worktree.path(), turn_of(demo, "implementer", 2)));
  for (const int round : {2, 3}) {
    const auto green = stage.run(turn_of(demo, "reviewer", round).run);
    CHECK_MESSAGE(green.code == 0, green.out, green.err);
    CHECK(!green.out.contains("offended"));
    CHECK(green.err.empty());
  }
  CHECK(stage.run({"./greet.sh", "Ada", "Grace Hopper"}).out ==
        "Hello, Ada!\nHello, Grace Hopper!\n");
  CHECK(stage.run({"./test.sh"}).ok());
  CHECK_MESSAGE(stage.names() == before, "a review leaves no files behind");
}

}  // namespace pf
