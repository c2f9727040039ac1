#include "agents/scripted/player.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

constexpr const char* kNews =
    "[pairflow #3] you are codex, implementer of bubble b | then run: pairflow turn";

// A stand-in for pairflow: notes its arguments, one line per call; `turn` prints the file
// turn.json, anything else ends with the number in the file code.
constexpr std::string_view kPaneStub = R"sh(#!/bin/sh
cd "$(dirname "$0")" || exit 9
(for word; do printf '<%s>' "$word"; done; echo) >> calls
if [ "$1" = turn ]; then cat turn.json; exit; fi
echo "answer to $1"
code=$(cat code)
[ "$code" = 0 ] || echo "refused: not now" >&2
exit "$code"
)sh";

struct PaneStage {
  TempDirectory home;
  PosixOs posix;
  FakeEnvironment env;
  FakeClock clock;
  Os os{posix.files, posix.processes, clock, posix.random, env};
  Path worktree = home.path() / "work tree";

  PaneStage() {
    put("pairflow", kPaneStub);
    REQUIRE(os.files.set_executable(home.path() / "pairflow"));
    REQUIRE(os.files.make_directories(worktree));
    env.program = home.path() / "pairflow";
    put("code", "0\n");
    turn(7);
  }
  void put(const Path& name, std::string_view text) {
    REQUIRE(os.files.replace(home.path() / name, text, Durable::no));
  }
  std::string get(const Path& name) {
    return os.files.read_if_there(home.path() / name).value().value_or("(none)");
  }
  void turn(int number, bool ours = true) {
    put("turn.json",
        fmt::format(R"({{"your_turn": {}, "turn": {}, "role": "implementer", "round": 1,
                         "agent": "codex", "worktree": "{}"}})",
                    ours, number, worktree.string()));
  }
  int play(const std::string& scenario, std::deque<std::string> lines) {
    const auto parsed = parse_scenario("s.toml", scenario);
    REQUIRE(parsed);
    env.input = std::move(lines);
    return pf::play(os, *parsed, AgentName("codex"));
  }
};

constexpr const char* kPass = R"([[turn]]
write = [ { path = "sub/a.txt", text = "hello\n" } ]
pass = { summary = "did it", fixed = ["F1.1"] }
)";
constexpr const char* kPassCall = "<pass><--summary><did it><--fixed><F1.1>\n";
constexpr const char* kTurnCall = "<turn><--json>\n";

}  // namespace

TEST_CASE("a turn is played with the real commands, once for a repeated line") {
  PaneStage stage;
  CHECK(stage.play(kPass, {kNews, kNews}) == 0);
  CHECK(stage.get("calls") == std::string(kTurnCall) + kPassCall + kTurnCall);
  CHECK(stage.get("work tree/sub/a.txt") == "hello\n");
  CHECK(stage.env.out ==
        "codex\n"
        "a scripted agent, playing 's.toml'\n"
        "wrote sub/a.txt\n"
        "$ pairflow pass --summary \"did it\" --fixed F1.1\n"
        "  answer to pass\n"
        "I have played this turn already.\n");
}

TEST_CASE("the next turn is played again by the same process") {
  PaneStage stage;
  const auto parsed = parse_scenario("s", R"([[turn]]
run = ["sed", "-i", 's/"turn": 7/"turn": 8/', "../turn.json"]
pass = { summary = "x" }
)");
  stage.env.input = {kNews, kNews};
  CHECK(pf::play(stage.os, *parsed, AgentName("codex")) == 0);
  CHECK(stage.get("calls") ==
        "<turn><--json>\n<pass><--summary><x>\n"
        "<turn><--json>\n<pass><--summary><x>\n");
  CHECK(stage.env.out.starts_with("codex\n"));
}

TEST_CASE("no line from pairflow, no action") {
  PaneStage stage;
  CHECK(stage.play(kPass, {}) == 0);
  CHECK(stage.play(kPass, {"", "hello?", "pairflow turn"}) == 0);
  CHECK(stage.get("calls") == "(none)");
  CHECK(stage.env.out.contains("only listen to pairflow"));
}

TEST_CASE("a line that a person had begun to type still counts") {
  PaneStage stage;
  stage.play(kPass, {fmt::format("ls {}\r", kNews)});
  CHECK(stage.get("calls").contains("<pass>"));
}

TEST_CASE("another's turn is waited out") {
  PaneStage stage;
  stage.turn(7, false);
  stage.play(kPass, {kNews});
  CHECK(stage.get("calls") == kTurnCall);
  CHECK(stage.env.out.ends_with("Not my turn; I wait.\n"));
}

TEST_CASE("a refused command is shown, not repeated, and the reading goes on") {
  PaneStage stage;
  stage.put("code", "1\n");
  CHECK(stage.play(kPass, {kNews, kNews, "x"}) == 0);
  CHECK(stage.get("calls") == std::string(kTurnCall) + kPassCall + kTurnCall);
  CHECK(stage.env.out.contains("  refused: not now\n  exit 1\n"));
  CHECK(stage.env.input.empty());
}

TEST_CASE("a refused convergence is declared again when there is news") {
  PaneStage stage;
  stage.put("code", "1\n");
  stage.play("[[turn]]\nconverged = \"agreed\"\n", {kNews, kNews});
  const std::string call = "<converged><--summary><agreed>\n";
  CHECK(stage.get("calls") == std::string(kTurnCall) + call + kTurnCall + call);
}

TEST_CASE("no entry for the turn: it says so and waits") {
  PaneStage stage;
  CHECK(stage.play("[[turn]]\nround = 2\nexit = 5", {kNews}) == 0);
  CHECK(stage.env.out.ends_with(
      "The scenario has nothing for codex as implementer in round 1; I wait.\n"));
}

TEST_CASE("exit ends the process with its code; what follows is not read") {
  PaneStage stage;
  CHECK(stage.play("[[turn]]\nexit = 42", {kNews, kNews}) == 42);
  CHECK(stage.get("calls") == kTurnCall);
  CHECK(stage.env.input.size() == 1);
}

TEST_CASE("after the human's reply the entry that asked gives way to the next one") {
  PaneStage stage;
  const std::string scenario = R"([[turn]]
run = ["sed", "-i", 's/"turn": 7/"turn": 8/', "../turn.json"]
ask_human = "which?"
[[turn]]
run = ["sed", "-i", 's/"turn": 8/"turn": 9/', "../turn.json"]
nothing = true
[[turn]]
converged = "done"
)";
  CHECK(stage.play(scenario, {kNews, kNews, kNews, kNews}) == 0);
  CHECK(stage.get("calls") ==
        "<turn><--json>\n<ask-human><--question><which?>\n<turn><--json>\n<turn><--json>\n"
        "<converged><--summary><done>\n<turn><--json>\n");

  PaneStage refused;
  refused.put("code", "1\n");
  refused.play(scenario, {kNews, kNews});
  CHECK(refused.get("calls") ==
        "<turn><--json>\n<ask-human><--question><which?>\n"
        "<turn><--json>\n<ask-human><--question><which?>\n");
}

TEST_CASE("edits, a thought and a failing program, in this order, then the end all the same") {
  PaneStage stage;
  stage.put("work tree/old", "x");
  const auto before = stage.clock.mono();
  stage.play(R"([[turn]]
say = "hm,\nwell"
think_ms = 300
write = [ { path = "new.sh", text = "#!/bin/sh\npwd; ls; echo bad >&2; exit 3", executable = true } ]
delete = ["old", "never-there"]
run = ["./new.sh"]
pass = { summary = "x" }
)",
             {kNews});
  CHECK(stage.clock.mono() - before == std::chrono::milliseconds(300));
  CHECK(stage.env.out.contains(
      fmt::format("hm,\nwell\n…\nwrote new.sh\ndeleted old\ndeleted never-there\n"
                  "$ ./new.sh\n  {}\n  new.sh\n  bad\n  exit 3\n"
                  "$ pairflow pass --summary x\n",
                  stage.worktree.string())));
}

TEST_CASE("a symlink in the worktree leads nowhere") {
  PaneStage stage;
  REQUIRE(stage.os.files.make_directories(stage.home.path() / "outside"));
  REQUIRE(stage.os.processes.run(
      {.argv = {"ln", "-s", "../outside", "link"}, .directory = stage.worktree}));
  stage.put("outside/kept", "x");
  for (const char* edit :
       {"write = [ { path = \"link/new\", text = \"x\" } ]", "delete = [\"link/kept\"]"}) {
    stage.env.out.clear();
    stage.play(fmt::format("[[turn]]\n{}\npass = {{ summary = \"x\" }}", edit), {kNews});
    CHECK(stage.env.out.contains("'link' is a symlink"));
    CHECK(!stage.get("calls").contains("<pass>"));
  }
  CHECK(stage.get("outside/new") == "(none)");
  CHECK(stage.get("outside/kept") == "x");
}

TEST_CASE("strange answers of `turn` are shown, and tried again with the next line") {
  PaneStage stage;
  for (const char* answer : {"", "{", "[]", "{}", R"({"your_turn": 1})", R"({"your_turn": true})",
                             R"({"your_turn": true, "turn": 3, "worktree": "x"})"}) {
    CAPTURE(answer);
    stage.env.out.clear();
    stage.put("turn.json", answer);
    CHECK(stage.play(kPass, {kNews}) == 0);
    CHECK(stage.env.out.contains("pairflow turn --json gave no usable answer"));
  }
  CHECK(!stage.get("calls").contains("<pass>"));
  REQUIRE(stage.os.files.remove(stage.home.path() / "turn.json"));
  stage.env.out.clear();
  stage.play(kPass, {kNews});
  CHECK(stage.env.out.contains("pairflow turn ended with 1"));
}

TEST_CASE("a missing program or worktree is shown and nothing else happens") {
  PaneStage stage;
  CHECK(stage.play("[[turn]]\nrun = [\"no-such-program\"]\nexit = 1", {kNews}) == 0);
  CHECK(stage.env.out.contains("no-such-program"));
  REQUIRE(stage.os.files.remove(stage.home.path() / "pairflow"));
  CHECK(stage.play(kPass, {kNews}) == 0);
  CHECK(stage.get("work tree/sub/a.txt") == "(none)");
}

TEST_CASE("colours on a terminal only, and never a control of somebody else's") {
  PaneStage stage;
  const std::string scenario = R"([[turn]]
say = "a\u001b[2Jb"
run = ["printf", "out\\033]0;title\\007\\n"]
pass = { summary = "\u001b[31m" }
)";
  stage.play(scenario, {kNews});
  CHECK(!stage.env.out.contains('\x1b'));
  CHECK(stage.env.out.contains("a<U+001B>[2Jb\n"));

  stage.env.out.clear();
  stage.env.terminals = {Stream::out};
  stage.play(scenario, {kNews});
  CHECK(stage.env.out.starts_with("\x1b[1mcodex\x1b[0m\n"));
  CHECK(stage.env.out.contains("\x1b[2m$ pairflow pass --summary \"<U+001B>[31m\"\x1b[0m\n"));
  CHECK(!stage.env.out.contains("\x1b[2J"));
  CHECK(!stage.env.out.contains("\x1b]0"));
}

TEST_CASE("a program that floods the pane is cut") {
  PaneStage stage;
  stage.play(
      "[[turn]]\nrun = [\"sh\", \"-c\", \"yes | head -c 1000000\"]\npass = { summary = \"x\" }",
      {kNews});
  CHECK(stage.env.out.size() < 40'000);
  CHECK(stage.env.out.contains("…"));
  CHECK(stage.get("calls").contains("<pass>"));
}

}  // namespace pf
