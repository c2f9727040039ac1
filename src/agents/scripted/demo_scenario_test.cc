#include <doctest/doctest.h>

#include "agents/scripted/edits.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

const ScenarioTurn& turn_of(const Scenario& scenario, const char* role, int round) {
  const auto at = find_turn(scenario.turns, {"anybody", role, round}, {});
  REQUIRE(at);
  return scenario.turns[*at];
}

template <class T>
const T& ending_of(const ScenarioTurn& turn) {
  REQUIRE(std::holds_alternative<T>(turn.ending));
  return std::get<T>(turn.ending);
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
  CHECK(!ending_of<EndByPass>(turn_of(demo, "implementer", 1)).summary.empty());
  const auto& review = ending_of<EndByPass>(turn_of(demo, "reviewer", 1));
  REQUIRE(review.findings.size() == 1);
  CHECK(review.findings[0].starts_with("P1:"));
  CHECK(review.findings[0].ends_with(" @greet.sh:3"));
  CHECK(!review.no_findings);
  CHECK(ending_of<EndByPass>(turn_of(demo, "implementer", 2)).fixed ==
        std::vector<std::string>{"F1.1"});
  const auto& clean = ending_of<EndByPass>(turn_of(demo, "reviewer", 2));
  CHECK(clean.no_findings);
  CHECK(clean.findings.empty());
  CHECK(!ending_of<EndByConverged>(turn_of(demo, "reviewer", 3)).summary.empty());
  ending_of<EndByQuestion>(turn_of(demo, "implementer", 4));
}

TEST_CASE("the demo sends the first step of a plan back once and approves all the others") {
  const Scenario demo = parse_scenario("demo", demo_scenario()).value();
  const auto run_of = [&](const char* role, const char* step, int round) -> const Ending& {
    return demo.runs.at(find_turn(demo.runs, {"anybody", role, round, step}, {}).value()).ending;
  };
  for (const char* step : {"1", "2", "last-step"})
    for (const int round : {1, 2, 3}) {
      const bool first = std::string_view(step) == "1" && round == 1;
      CHECK(std::holds_alternative<EndByReviewRequest>(run_of("coder", step, round)));
      CHECK(std::holds_alternative<EndByChangeRequest>(run_of("reviewer", step, round)) == first);
      CHECK(std::holds_alternative<EndByApproval>(run_of("reviewer", step, round)) == !first);
    }
  CHECK(std::holds_alternative<EndByNothing>(run_of("explainer", "", 1)));
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
