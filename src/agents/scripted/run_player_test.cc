#include <doctest/doctest.h>
#include <fmt/format.h>

#include "agents/scripted/player.h"
#include "agents/stream.h"
#include "agents/testing.h"
#include "base/codec.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

// A stand-in for pairflow: notes its arguments, says the file answer and ends with the number in
// the file code.
constexpr std::string_view kRunStub = R"sh(#!/bin/sh
cd "$(dirname "$0")" || exit 9
(for word; do printf '<%s>' "$word"; done; echo) >> calls
cat answer
exit "$(cat code)"
)sh";

struct RunStage {
  TempDirectory home;
  PosixOs posix;
  FakeEnvironment env;
  FakeClock clock;
  Os os{posix.files, posix.processes, clock, posix.random, env};
  int code = 0;              // of the last run
  std::string conversation;  // as it told last

  RunStage() {
    put("pairflow", kRunStub);
    REQUIRE(os.files.set_executable(home.path() / "pairflow"));
    REQUIRE(os.files.make_directories(home.path() / "tree"));
    put("code", "0\n");
    put("answer", "");
    env.program = home.path() / "pairflow";
    env.directory = home.path() / "tree";
    env.variables = {{"PAIRFLOW_PLAN", "login"},
                     {"PAIRFLOW_AGENT", "mine"},
                     {"PAIRFLOW_ROLE", "coder"},
                     {"PAIRFLOW_STEP", "1"},
                     {"PAIRFLOW_ROUND", "1"}};
  }
  void put(const Path& name, std::string_view text) {
    REQUIRE(os.files.replace(home.path() / name, text, Durable::no));
  }
  std::string get(const Path& name) {
    return os.files.read_if_there(home.path() / name).value().value_or("(none)");
  }
  // What it tells, but for its conversation.
  std::string play(const std::string& scenario, const std::string& goes_on_with = "") {
    const auto parsed = parse_scenario("s.toml", scenario);
    REQUIRE(parsed);
    env.out.clear();
    code = play_run(os, *parsed, goes_on_with);
    std::string told;
    for (const StreamItem& item : StreamReader(kind_named("scripted")).feed(env.out)) {
      if (item.kind == StreamItem::Kind::conversation)
        conversation = item.text;
      else
        told += fmt::format("{} [{}{}] {}\n", name_of(item.kind), item.ours ? "pairflow " : "",
                            item.tool, item.text);
    }
    return told;
  }
};

constexpr const char* kQuestion = R"(
[[run]]
ask_user = "which?"
[[run]]
request_review = ""
)";

}  // namespace

TEST_CASE("a run is played with the real commands and told item by item") {
  RunStage stage;
  CHECK(stage.play(R"(
[[run]]
role = "reviewer"
approve = ""
[[run]]
role = "coder"
step = "1"
round = 1
say = "Step {step} of {plan}."
write = [ { path = "a/{step}.txt", text = "{plan}\n" } ]
delete = ["old"]
run = ["cat", "a/{step}.txt"]
request_review = "Step {step} is done."
)") == "said [] Step 1 of login.\n"
       "tool [write] a/1.txt\n"
       "tool [delete] old\n"
       "tool [bash] cat a/1.txt\n"
       "tool [pairflow request-review] \n");
  CHECK(stage.code == 0);
  CHECK(stage.get("tree/a/1.txt") == "login\n");
  CHECK(stage.get("calls") == "<plan><request-review><--note><Step 1 is done.>\n");
}

TEST_CASE("step and round choose the entry; a run without one ends without a word to pairflow") {
  RunStage stage;
  const std::string scenario = R"(
[[run]]
step = "2"
round = 2
request_changes = "again"
)";
  CHECK(stage.play(scenario) ==
        "said [] The scenario has nothing for mine as coder on step 1 in round 1.\n");
  CHECK(stage.code == 0);
  stage.env.variables["PAIRFLOW_STEP"] = "2";
  stage.env.variables["PAIRFLOW_ROUND"] = "2";
  stage.play(scenario);
  CHECK(stage.get("calls") == "<plan><request-changes><--text><again>\n");
}

TEST_CASE("an answer is told, and the next entry is played in the same run") {
  RunStage stage;
  stage.put("answer", "the blue one\n");
  CHECK(stage.play(kQuestion) ==
        "tool [pairflow ask-user] \n"
        "said [] The answer is: the blue one\n"
        "tool [pairflow request-review] \n");
  CHECK(stage.get("calls") == "<plan><ask-user><--message><which?>\n<plan><request-review>\n");
}

TEST_CASE("without an answer the run ends; in its conversation the question is not asked again") {
  RunStage stage;
  stage.put("code", "1\n");
  CHECK(stage.play(kQuestion).contains("failed [pairflow ask-user] exit 1"));
  CHECK(stage.get("calls") == "<plan><ask-user><--message><which?>\n");
  stage.put("code", "0\n");
  CHECK(stage.play(kQuestion, stage.conversation) == "tool [pairflow request-review] \n");
  CHECK(stage.play(kQuestion).starts_with("tool [pairflow ask-user] \n"));
}

TEST_CASE("a run that failed or was silent does better when it is continued") {
  for (const char* ending : {"exit = 7", "nothing = true", "hang = true"}) {
    RunStage stage;
    const std::string scenario =
        fmt::format("[[run]]\n{}\n[[run]]\nrequest_review = \"\"\n", ending);
    const auto before = stage.clock.mono();
    CHECK(stage.play(scenario).empty());
    CHECK(stage.code == (std::string_view(ending).starts_with("exit") ? 7 : 0));
    CHECK((stage.clock.mono() - before > std::chrono::hours(1)) ==
          std::string_view(ending).starts_with("hang"));
    stage.play(scenario, stage.conversation);
    CHECK(stage.get("calls") == "<plan><request-review>\n");
  }
}

TEST_CASE("an entry that hands over is played again when its run was interrupted") {
  RunStage stage;
  const std::string scenario = "[[run]]\nrequest_review = \"\"\n";
  stage.play(scenario);
  stage.play(scenario, stage.conversation);
  CHECK(stage.get("calls") == "<plan><request-review>\n<plan><request-review>\n");
}

TEST_CASE("what fails is told, and the run goes on to its end") {
  RunStage stage;
  stage.put("tree/file", "");
  const std::string told = stage.play(R"(
[[run]]
write = [ { path = "file/below", text = "" } ]
run = ["sh", "-c", "echo x: Read-only file system >&2; exit 1"]
approve = ""
)");
  CHECK(told.contains("failed [write] "));
  CHECK(told.contains("blocked [bash] x: Read-only file system\n"));
  CHECK(told.ends_with("tool [pairflow approve] \n"));
  CHECK(stage.play("[[run]]\nrun = [\"no-such-program\"]\nnothing = true\n")
            .contains("failed [bash] "));
}

TEST_CASE("a conversation that is not its own is a new one") {
  RunStage stage;
  for (const char* strange : {"", "script", "x.y", "script.99", "0x1", "-1"})
    CHECK(stage.play(kQuestion, strange).starts_with("tool [pairflow ask-user]"));
}

}  // namespace pf
