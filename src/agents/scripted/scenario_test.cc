#include <doctest/doctest.h>

#include "agents/scripted/player.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

Error error_of(const std::string& text) {
  const auto scenario = parse_scenario("s.toml", text);
  REQUIRE_MESSAGE(!scenario, text);
  CHECK(scenario.error().exit == Exit::usage);
  return scenario.error();
}

std::string what(const std::string& text) { return error_of(text).what; }

Ending ending_of(const std::string& text) {
  const auto scenario = parse_scenario("s.toml", "[[turn]]\n" + text);
  REQUIRE_MESSAGE(scenario, text);
  return scenario->turns.at(0).ending;
}

}  // namespace

TEST_CASE("a turn with everything in it") {
  const auto scenario = parse_scenario("s.toml", R"([[turn]]
agent = "codex"
role = "implementer"
round = 2
write = [ { path = "a/greet.sh", text = "hi\n", executable = true }, { path = "b", text = "" } ]
delete = ["x", "y/z"]
run = ["sh", "-c", "true"]
say = "working"
think_ms = 300
pass = { summary = "done", findings = ["P1:Title @file:3"], no_findings = true, resolved = ["F1.1"], fixed = ["F1.2"], disputed = ["F1.3: no"] }
)");
  REQUIRE(scenario);
  CHECK(scenario->name == "s.toml");
  REQUIRE(scenario->turns.size() == 1);
  const ScenarioTurn& turn = scenario->turns[0];
  CHECK(turn.agent == "codex");
  CHECK(turn.role == "implementer");
  CHECK(turn.round == 2);
  REQUIRE(turn.write.size() == 2);
  CHECK(turn.write[0].path == "a/greet.sh");
  CHECK(turn.write[0].text == "hi\n");
  CHECK(turn.write[0].executable);
  CHECK(!turn.write[1].executable);
  CHECK(turn.remove == std::vector<std::string>{"x", "y/z"});
  CHECK(turn.run == std::vector<std::string>{"sh", "-c", "true"});
  CHECK(turn.say == "working");
  CHECK(turn.think_ms == 300);
  CHECK(turn.ending.key == "pass");
  CHECK(turn.ending.command == std::vector<std::string>{"pass", "--summary", "done", "--finding",
                                                        "P1:Title @file:3", "--no-findings",
                                                        "--resolved", "F1.1", "--fixed", "F1.2",
                                                        "--disputed", "F1.3: no"});
}

TEST_CASE("the five endings and their commands") {
  using Words = std::vector<std::string>;
  CHECK(ending_of("ask_human = \"which?\"").command == Words{"ask-human", "--question", "which?"});
  CHECK(ending_of("converged = \"fine\"").command == Words{"converged", "--summary", "fine"});
  CHECK(ending_of("exit = 3").key == "exit");
  CHECK(ending_of("exit = 3").code == 3);
  CHECK(ending_of("exit = 0").command.empty());
  CHECK(ending_of("nothing = true").key == "nothing");
  CHECK(ending_of("nothing = true").command.empty());
  CHECK(ending_of("[turn.pass]\nsummary = \"-s\"\nfindings = [\"P1:a\", \"P2:b\"]\n"
                  "resolved = [\"F1.1\"]\nfixed = [\"F1.2\"]\ndisputed = [\"F1.3: x\"]")
            .command == Words{"pass", "--summary", "-s", "--finding", "P1:a", "--finding", "P2:b",
                              "--resolved", "F1.1", "--fixed", "F1.2", "--disputed", "F1.3: x"});
  CHECK(ending_of("pass = { summary = \"\", no_findings = true }").command ==
        Words{"pass", "--summary", "", "--no-findings"});
}

TEST_CASE("a plan's runs have a step and endings of their own") {
  using Words = std::vector<std::string>;
  const auto run_of = [](const std::string& text) {
    const auto scenario = parse_scenario("s.toml", "[[run]]\n" + text);
    REQUIRE_MESSAGE(scenario, text);
    CHECK(scenario->turns.empty());
    return scenario->runs.at(0);
  };
  CHECK(run_of("role = \"coder\"\nstep = \"2\"\nround = 3\nhang = true").step == "2");
  CHECK(run_of("request_review = \"ready\"").ending.command ==
        Words{"plan", "request-review", "--note", "ready"});
  CHECK(run_of("request_review = \"\"").ending.command == Words{"plan", "request-review"});
  CHECK(run_of("request_changes = \"no\"").ending.command ==
        Words{"plan", "request-changes", "--text", "no"});
  CHECK(run_of("approve = \"\"").ending.command == Words{"plan", "approve"});
  CHECK(run_of("ask_user = \"which?\"").ending.command ==
        Words{"plan", "ask-user", "--message", "which?"});
  for (const char* silent : {"exit = 3", "nothing = true", "hang = true"})
    CHECK(run_of(silent).ending.command.empty());

  CHECK(what("[[run]]\nrole = \"implementer\"\nnothing = true") ==
        "s.toml:2: 'role' in [[run]] cannot be 'implementer'");
  CHECK(what("[[run]]\npass = { summary = \"x\" }\nexit = 1") ==
        "s.toml:2: unknown key 'pass' in [[run]]");
  CHECK(what("[[turn]]\nstep = \"1\"\nexit = 1") == "s.toml:2: unknown key 'step' in [[turn]]");
  CHECK(what("[[run]]\nhang = false") == "s.toml:2: 'hang' in [[run]] cannot be false");
  CHECK(error_of("[[run]]\nsay = \"x\"").fix ==
        "write one of request_review, request_changes, approve, ask_user, exit, nothing, hang");
}

TEST_CASE("a shown command can be read by a shell and harms no terminal") {
  CHECK(shown_command({"pass", "--summary", "all done", "--fixed", "F1.1"}) ==
        "pass --summary \"all done\" --fixed F1.1");
  CHECK(shown_command({"a", "", "$(x) `y` \"z\" \\"}) == R"(a "" "\$(x) \`y\` \"z\" \\")");
  CHECK(shown_command({"a\x1b[2Jb\nc"}) == "\"a<U+001B>[2Jb c\"");
  CHECK(shown_command({std::string(1 << 20, 'x')}).size() < 200);
}

TEST_CASE("unknown keys are named with line and nearest key") {
  const Error error = error_of("[[turn]]\nsya = \"x\"\nnothing = true\n");
  CHECK(error.what == "s.toml:2: unknown key 'sya' in [[turn]]");
  CHECK(error.fix == "did you mean 'say'?");
  CHECK(error_of("[[turns]]\nnothing = true").fix == "add turn = …");
  CHECK(error_of("turn = []\nquux_quux = 1").fix == "known here: turn, run");
  CHECK(what("[[turn]]\n\n[turn.pass]\nsummary = \"s\"\nfinding = []\n") ==
        "s.toml:5: unknown key 'finding' in pass");
  CHECK(what("[[turn]]\nnothing = true\nwrite = [ { path = \"a\", text = \"\", mode = 1 } ]") ==
        "s.toml:3: unknown key 'mode' in write");
}

TEST_CASE("wrong types and values are named with their line") {
  CHECK(what("turn = 1") == "s.toml:1: 'turn' in a scenario must be a list, not a whole number");
  CHECK(error_of("[turn]\nnothing = true").fix == "write its header in double brackets");
  CHECK(what("turn = [ 1 ]") == "s.toml:1: [[turn]] must be a table, not a whole number");
  CHECK(what("[[turn]]\nround = \"1\"\nnothing = true") ==
        "s.toml:2: 'round' in [[turn]] must be a whole number, not a string");
  CHECK(what("[[turn]]\nround = 0\nnothing = true") == "s.toml:2: 'round' in [[turn]] cannot be 0");
  CHECK(what("[[turn]]\nrole = \"coder\"\nnothing = true") ==
        "s.toml:2: 'role' in [[turn]] cannot be 'coder'");
  CHECK(what("[[turn]]\nagent = \"../x\"\nnothing = true") ==
        "s.toml:2: 'agent' in [[turn]] cannot be '../x'");
  CHECK(what("[[turn]]\nrun = [\"sh\", 2]\nnothing = true") ==
        "s.toml:2: 'run' in [[turn]] holds a whole number among its strings");
  CHECK(what("[[turn]]\nthink_ms = 600000\nnothing = true") ==
        "s.toml:2: 'think_ms' in [[turn]] cannot be 600000");
  CHECK(what("[[turn]]\nexit = 256") == "s.toml:2: 'exit' in [[turn]] cannot be 256");
  CHECK(what("[[turn]]\nnothing = false") == "s.toml:2: 'nothing' in [[turn]] cannot be false");
  CHECK(what("[[turn]]\npass = {}") == "s.toml:2: 'summary' in pass is missing");
  CHECK(what("[[turn]]\nnothing = true\nwrite = [\"a\"]") ==
        "s.toml:3: write must be a table, not a string");
  CHECK(what("[[turn]]\nnothing = true\nwrite = [ { path = \"a\" } ]") ==
        "s.toml:3: 'text' in write is missing");
  CHECK(what("") == "s.toml:1: 'turn' in a scenario is missing");
  CHECK(what("[[turn]\n").starts_with("s.toml:1: "));
}

TEST_CASE("a turn ends in exactly one way") {
  CHECK(what("\n[[turn]]\nsay = \"x\"") == "s.toml:2: a [[turn]] without an end");
  CHECK(what("[[turn]]\nexit = 1\nask_human = \"x\"") ==
        "s.toml:2: a [[turn]] with 'ask_human' and 'exit'");
}

TEST_CASE("paths stay beneath the worktree") {
  for (const char* path : {"", ".", "..", "../x", "a/../../x", "a/..", "/etc/passwd", "a/", "./"}) {
    CAPTURE(path);
    const std::string quoted = "\"" + std::string(path) + "\"";
    CHECK(what("[[turn]]\nnothing = true\ndelete = [" + quoted + "]")
              .starts_with("s.toml:3: 'delete'"));
    CHECK(what("[[turn]]\nnothing = true\nwrite = [ { path = " + quoted + ", text = \"\" } ]")
              .starts_with("s.toml:3: 'path' in write cannot be"));
  }
  CHECK(parse_scenario("s", "[[turn]]\nnothing = true\ndelete = [\"..a/b..\", \"./c\"]"));
}

TEST_CASE("the first turn that fits wins; what is left out fits anything") {
  const auto scenario = parse_scenario("s", R"(
[[turn]]
agent = "codex"
role = "reviewer"
exit = 0
[[turn]]
role = "implementer"
round = 1
exit = 1
[[turn]]
exit = 2
)");
  REQUIRE(scenario);
  CHECK(find_turn(scenario->turns, {"codex", "reviewer", 3}, {}) == 0);
  CHECK(find_turn(scenario->turns, {"codex", "implementer", 1}, {}) == 1);
  CHECK(find_turn(scenario->turns, {"claude", "reviewer", 1}, {}) == 2);
  CHECK(find_turn(scenario->turns, {"codex", "implementer", 2}, {}) == 2);
  CHECK(find_turn(scenario->turns, {"codex", "implementer", 1}, {1}) == 2);
  CHECK(!find_turn(scenario->turns, {"claude", "reviewer", 1}, {2}));
}

TEST_CASE("a scenario is loaded by name or from its file") {
  TempDirectory dir;
  PosixOs posix;
  Os os = posix.os();
  CHECK(load_scenario(os, "demo").value().name == "demo");
  const Path file = dir.path() / "s.toml";
  CHECK(load_scenario(os, file.string()).error().exit == Exit::machine);
  REQUIRE(os.files.replace(file, "[[turn]]\nnothing = true\n", Durable::no));
  CHECK(load_scenario(os, file.string()).value().turns.size() == 1);
  REQUIRE(os.files.replace(file, std::string(1 << 20, '#'), Durable::no));
  CHECK(load_scenario(os, file.string()).error().exit == Exit::usage);
}

}  // namespace pf
