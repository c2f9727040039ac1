#include "agents/launch.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "agents/testing.h"

namespace pf {
namespace {

LaunchContext context() {
  return {.repo = "/work/my repo",
          .loop = {{"PAIRFLOW_BUBBLE", "login-timeout"}},
          .role = "reviewer",
          .worktree = "/work/.pairflow-worktrees/my repo/login-timeout",
          .briefing = "/a/briefing-mine.md",
          .executable = "/opt/pairflow/bin/pairflow",
          .path = "/usr/bin:/bin",
          .tmux_socket = "",
          .artifacts = "/a"};
}

AgentSettings agent(std::string_view kind, std::vector<std::string> command,
                    std::string scenario = "") {
  return {AgentName("mine"), &kind_named(kind), std::move(command), std::move(scenario)};
}

std::string variable(const AgentLaunch& launch, const std::string& name) {
  const auto at =
      std::ranges::find(launch.environment, name, &std::pair<std::string, std::string>::first);
  return at == launch.environment.end() ? "(none)" : at->second;
}

bool has(const AgentLaunch& launch, const std::vector<std::string>& words) {
  return !std::ranges::search(launch.argv, words).empty();
}

// The argument that has this text in it.
std::string word_with(const AgentLaunch& launch, std::string_view text) {
  const auto at = std::ranges::find_if(
      launch.argv, [&](const std::string& word) { return word.contains(text); });
  return at == launch.argv.end() ? "(none)" : *at;
}

}  // namespace

TEST_CASE("an agent without a command is a usage error") {
  for (const char* kind : {"claude", "codex", "custom"}) {
    const auto none = plan_launch(agent(kind, {}), context());
    REQUIRE(!none);
    CHECK(none.error().exit == Exit::usage);
    CHECK(none.error().what == "[agents.mine] has no command");
  }
}

TEST_CASE("a custom agent runs the configured command with its names filled in") {
  using Words = std::vector<std::string>;
  const auto plain =
      plan_launch(agent("custom", {"my agent", "--say", "a b; $HOME", ""}), context());
  CHECK(plain.value().argv == Words{"my agent", "--say", "a b; $HOME", ""});
  CHECK_FALSE(plain->takes_prompt);
  CHECK(plain->conversation.empty());

  auto where = context();
  where.prompt = "{role} is not filled in";
  where.conversation = "c-1";
  auto mine = agent("custom", {"a", "--id={conversation}", "{unknown}", "{prompt}"});
  mine.resume = {"a", "--again", "{conversation}", "{prompt}"};
  CHECK(plan_launch(mine, where)->argv ==
        Words{"a", "--id=c-1", "{unknown}", "{role} is not filled in"});
  CHECK(plan_launch(mine, where)->conversation == "c-1");
  where.prompt.clear();
  CHECK(plan_launch(mine, where)->argv == Words{"a", "--id=c-1", "{unknown}"});
  where.continues = true;
  CHECK(plan_launch(mine, where)->argv == Words{"a", "--again", "c-1"});
}

TEST_CASE("a custom agent runs headless by a command of its own, which may read the prompt") {
  using Words = std::vector<std::string>;
  auto where = context();
  where.headless = true;
  where.prompt = "go";
  where.conversation = "c-1";
  auto mine = agent("custom", {"a", "--interactive"});
  const auto none = plan_launch(mine, where);
  REQUIRE(!none);
  CHECK(none.error().exit == Exit::usage);
  CHECK(none.error().what == "[agents.mine] has no headless");

  mine.headless = {"a", "--once"};
  CHECK(plan_launch(mine, where)->argv == Words{"a", "--once"});
  CHECK(plan_launch(mine, where)->input == "go");
  CHECK(plan_launch(mine, where)->conversation.empty());
  mine.headless.emplace_back("--say={prompt}");
  mine.headless_resume = {"a", "--again", "{conversation}"};
  CHECK(plan_launch(mine, where)->argv == Words{"a", "--once", "--say=go"});
  CHECK(plan_launch(mine, where)->input.empty());
  CHECK(plan_launch(mine, where)->conversation == "c-1");
  where.continues = true;
  CHECK(plan_launch(mine, where)->argv == Words{"a", "--again", "c-1"});
  CHECK(plan_launch(mine, where)->input == "go");
}

TEST_CASE("Claude Code is told everything by its arguments") {
  auto where = context();
  where.confined = true;
  where.prompt = "go";
  where.conversation = "c-1";
  where.home = "/home/me";
  const auto begins = plan_launch(agent("claude", {"claude"}), where);
  REQUIRE(begins);
  CHECK(has(*begins, {"--permission-mode", "bypassPermissions"}));
  CHECK(has(*begins, {"--session-id", "c-1"}));
  CHECK(has(*begins, {"--", "go"}));
  CHECK_FALSE(has(*begins, {"--model"}));
  CHECK(begins->argv.back() == "go");
  CHECK(variable(*begins, "IS_SANDBOX") == "1");
  CHECK(begins->confirms);
  REQUIRE(begins->copies.size() == 1);
  CHECK(begins->copies[0].file == "/home/me/.claude.json");

  where.continues = true;
  where.model = "opus";
  where.prompt.clear();
  const auto goes_on = plan_launch(agent("claude", {"claude"}), where);
  CHECK(has(*goes_on, {"--resume", "c-1"}));
  CHECK(has(*goes_on, {"--model", "opus"}));
  CHECK_FALSE(has(*goes_on, {"--session-id"}));
  CHECK_FALSE(has(*goes_on, {"--"}));

  where.confined = false;
  CHECK(has(*plan_launch(agent("claude", {"claude"}), where), {"--permission-mode", "dontAsk"}));
  CHECK(variable(*plan_launch(agent("claude", {"claude"}), where), "IS_SANDBOX") == "(none)");
  where.edits = true;
  CHECK(
      has(*plan_launch(agent("claude", {"claude"}), where), {"--permission-mode", "acceptEdits"}));
}

TEST_CASE("Claude Code runs headless: the prompt is its input, and hooks tell of tools alone") {
  auto where = context();
  where.headless = where.confined = true;
  where.prompt = std::string(1 << 20, 'x');
  where.conversation = "c-1";
  where.loop = {{"PAIRFLOW_PLAN", "login"}, {"PAIRFLOW_RUN", "7"}, {"PAIRFLOW_ROLE", "coder"}};
  const auto begins = plan_launch(agent("claude", {"claude"}), where);
  REQUIRE(begins);
  CHECK(has(*begins, {"claude", "-p", "--output-format", "stream-json", "--verbose"}));
  CHECK(has(*begins, {"--permission-mode", "bypassPermissions", "--session-id", "c-1"}));
  CHECK(begins->input == where.prompt);
  CHECK_FALSE(has(*begins, {where.prompt}));
  CHECK(word_with(*begins, "hooks").contains("PostToolUse"));
  CHECK_FALSE(word_with(*begins, "hooks").contains("\"Stop\""));
  CHECK(word_with(*begins, "mcpServers").contains("\"PAIRFLOW_RUN\":\"7\""));
  CHECK(variable(*begins, "PAIRFLOW_ROLE") == "coder");
  where.continues = true;
  CHECK(has(*plan_launch(agent("claude", {"claude"}), where), {"--resume", "c-1"}));
}

TEST_CASE("Claude Code's own file is copied with trust for the worktree and nothing else changed") {
  const auto where = context();
  const auto changed = plan_launch(agent("claude", {"claude"}), where)->copies[0].changed;
  const std::string tree = where.worktree.string();
  CHECK(changed("{\"theme\":\"dark\",\"projects\":{\"/x\":{\"a\":1}}}", where).value() ==
        "{\"theme\":\"dark\",\"projects\":{\"/x\":{\"a\":1},\"" + tree +
            "\":{\"hasTrustDialogAccepted\":true}}}");
  CHECK(changed("{\"projects\":7}", where).value() ==
        "{\"projects\":{\"" + tree + "\":{\"hasTrustDialogAccepted\":true}}}");
  CHECK_FALSE(changed("[]", where));
  CHECK_FALSE(changed("{", where));
}

TEST_CASE("Codex CLI is told everything by its arguments") {
  auto where = context();
  where.confined = true;
  where.prompt = "go";
  where.conversation = "c-1";
  where.home = "/home/me";
  const auto begins = plan_launch(agent("codex", {"codex"}), where);
  REQUIRE(begins);
  CHECK(has(*begins, {"codex", "--no-daemon", "--dangerously-bypass-hook-trust"}));
  CHECK(begins->input.empty());
  CHECK(has(*begins,
            {"-c", "projects={\"" + where.worktree.string() + "\"={trust_level=\"trusted\"}}"}));
  CHECK(has(*begins, {"--dangerously-bypass-approvals-and-sandbox"}));
  CHECK(has(*begins, {"--", "go"}));
  CHECK(begins->conversation.empty());  // it will say
  CHECK(begins->home_writable == std::vector<std::string>{"/home/me/.codex"});

  where.continues = true;
  where.environment = {"CODEX_HOME=/else"};
  const auto goes_on = plan_launch(agent("codex", {"codex"}), where);
  CHECK(has(*goes_on, {"codex", "resume", "c-1"}));
  CHECK(goes_on->conversation == "c-1");
  CHECK(goes_on->home_writable == std::vector<std::string>{"/else"});

  where.confined = false;
  CHECK(has(*plan_launch(agent("codex", {"codex"}), where), {"-c", "approval_policy=\"never\""}));
  CHECK(has(*plan_launch(agent("codex", {"codex"}), where),
            {"-c", "default_permissions=\"pairflow\""}));
  where.edits = true;
  CHECK(has(*plan_launch(agent("codex", {"codex"}), where),
            {"-c", "sandbox_mode=\"workspace-write\""}));
  CHECK_FALSE(has(*plan_launch(agent("codex", {"codex"}), where),
                  {"--dangerously-bypass-approvals-and-sandbox"}));
}

TEST_CASE("Codex CLI runs headless: the prompt is its input, and hooks tell of tools alone") {
  auto where = context();
  where.headless = where.confined = true;
  where.prompt = "go";
  where.conversation = "c-1";
  const auto begins = plan_launch(agent("codex", {"codex"}), where);
  REQUIRE(begins);
  CHECK(has(*begins, {"codex", "exec", "--json", "--skip-git-repo-check"}));
  CHECK_FALSE(has(*begins, {"--no-daemon"}));
  CHECK(begins->argv.back() == "-");
  CHECK(begins->input == "go");
  CHECK(begins->conversation.empty());  // it will say
  CHECK(word_with(*begins, "hooks=").contains("PostToolUse"));
  CHECK_FALSE(word_with(*begins, "hooks=").contains("Stop"));
  CHECK(word_with(*begins, "mcp_servers").contains("tool_timeout_sec=120"));
  where.continues = true;
  CHECK(has(*plan_launch(agent("codex", {"codex"}), where), {"codex", "exec", "resume", "c-1"}));
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

  auto where = context();
  where.headless = true;
  where.conversation = "c-1";
  const auto begins = plan_launch(agent("scripted", {}, "demo"), where);
  CHECK(begins->argv == Words{us, "agent-script", "--scenario", "demo", "--headless"});
  CHECK(begins->conversation.empty());  // it will say
  where.continues = true;
  CHECK(has(*plan_launch(agent("scripted", {}, "demo"), where), {"--conversation", "c-1"}));
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

TEST_CASE("a kind we do not know is refused, before there is an agent to launch") {
  const auto refused = merge_settings(
      {{"bubble.toml", "[agents.mine]\nkind = \"gemini\\u001b[2J\"\n"}}, agent_kinds());
  REQUIRE(!refused);
  CHECK(refused.error().exit == Exit::usage);
  CHECK(refused.error().what == "bubble.toml:2: 'kind' cannot be 'gemini<U+001B>[2J'");
  CHECK(refused.error().why == "it is one of claude, codex, custom, scripted");
}

}  // namespace pf
