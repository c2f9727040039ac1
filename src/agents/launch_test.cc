#include "agents/launch.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace pf {
namespace {

LaunchContext context() {
  return {.repo = "/work/my repo",
          .bubble = BubbleId("login-timeout"),
          .role = "reviewer",
          .worktree = "/work/.pairflow-worktrees/my repo/login-timeout",
          .briefing = "/a/briefing-mine.md",
          .executable = "/opt/pairflow/bin/pairflow",
          .path = "/usr/bin:/bin",
          .tmux_socket = "",
          .artifacts = "/a"};
}

AgentSettings agent(std::string kind, std::vector<std::string> command, std::string scenario = "") {
  return {AgentName("mine"), std::move(kind), std::move(command), std::move(scenario)};
}

std::string variable(const AgentLaunch& launch, const std::string& name) {
  const auto at =
      std::ranges::find(launch.environment, name, &std::pair<std::string, std::string>::first);
  return at == launch.environment.end() ? "(none)" : at->second;
}

}  // namespace

TEST_CASE("claude, codex and custom agents run the configured command as it is") {
  for (const char* kind : {"claude", "codex", "custom"}) {
    CAPTURE(kind);
    const auto launch =
        plan_launch(agent(kind, {"my agent", "--say", "a b; $HOME", ""}), context());
    REQUIRE(launch);
    CHECK(launch->argv == std::vector<std::string>{"my agent", "--say", "a b; $HOME", ""});
    const auto none = plan_launch(agent(kind, {}), context());
    REQUIRE(!none);
    CHECK(none.error().exit == Exit::usage);
    CHECK(none.error().what == "[agents.mine] has no command");
  }
}

TEST_CASE("a scripted agent is this program with its scenario") {
  using Words = std::vector<std::string>;
  const std::string us = "/opt/pairflow/bin/pairflow";
  const auto argv = [](const std::string& scenario) {
    return plan_launch(agent("scripted", {}, scenario), context()).value().argv;
  };
  CHECK(argv("demo") == Words{us, "agent-script", "--scenario", "demo"});
  CHECK(argv("./demo") == Words{us, "agent-script", "--scenario", "/work/my repo/demo"});
  CHECK(argv("test/s.toml") ==
        Words{us, "agent-script", "--scenario", "/work/my repo/test/s.toml"});
  CHECK(argv("/else/s.toml") == Words{us, "agent-script", "--scenario", "/else/s.toml"});
  CHECK(plan_launch(agent("scripted", {}), context()).error().exit == Exit::usage);
}

TEST_CASE("every agent is told where it is and finds our program first") {
  for (const auto& one : {agent("claude", {"c"}), agent("codex", {"c"}), agent("custom", {"c"}),
                          agent("scripted", {}, "demo")}) {
    const auto launch = plan_launch(one, context());
    REQUIRE(launch);
    CHECK(variable(*launch, "PAIRFLOW_REPO") == "/work/my repo");
    CHECK(variable(*launch, "PAIRFLOW_BUBBLE") == "login-timeout");
    CHECK(variable(*launch, "PAIRFLOW_AGENT") == "mine");
    CHECK(variable(*launch, "PATH") == "/opt/pairflow/bin:/usr/bin:/bin");
    CHECK(variable(*launch, "PAIRFLOW_TMUX_SOCKET") == "(none)");
  }
}

TEST_CASE("the tmux server of the caller is handed on when it is not the usual one") {
  auto where = context();
  where.tmux_socket = "/tmp/other socket";
  const auto launch = plan_launch(agent("custom", {"cat"}), where);
  CHECK(variable(launch.value(), "PAIRFLOW_TMUX_SOCKET") == "/tmp/other socket");
}

TEST_CASE("PATH: ours is not repeated, an empty one never means the worktree") {
  const auto path_of = [](LaunchContext where, std::string path) {
    where.path = std::move(path);
    return variable(plan_launch(agent("custom", {"cat"}), where).value(), "PATH");
  };
  CHECK(path_of(context(), "/opt/pairflow/bin:/bin") == "/opt/pairflow/bin:/bin");
  CHECK(path_of(context(), "/opt/pairflow/bin") == "/opt/pairflow/bin");
  CHECK(path_of(context(), "/opt/pairflow/binary") == "/opt/pairflow/bin:/opt/pairflow/binary");
  CHECK(path_of(context(), "") == "/opt/pairflow/bin:/usr/local/bin:/usr/bin:/bin");

  auto odd = context();
  odd.executable = "/opt/a:b/pairflow";
  const auto refused = plan_launch(agent("custom", {"cat"}), odd);
  REQUIRE(!refused);
  CHECK(refused.error().exit == Exit::machine);
}

TEST_CASE("a kind we do not know is refused") {
  const auto refused = plan_launch(agent("gemini\x1b[2J", {"g"}), context());
  REQUIRE(!refused);
  CHECK(refused.error().exit == Exit::usage);
  CHECK(refused.error().what == "[agents.mine] has the unknown kind 'gemini[2J'");
}

}  // namespace pf
