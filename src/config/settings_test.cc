#include "config/settings.h"

#include <doctest/doctest.h>

#include "config/testing.h"

namespace pf {
namespace {

Result<Settings> merge(const std::string& text) { return merge_layers({{"bubble.toml", text}}); }

Error error_of(const std::string& text) {
  const auto settings = merge(text);
  REQUIRE_MESSAGE(!settings, text);
  CHECK(settings.error().exit == Exit::usage);
  return settings.error();
}

}  // namespace

TEST_CASE("the specification's example is read as it stands") {
  const auto settings = merge(R"(id = "b_legal_search_01"
repo_path = "/abs/path/to/repo"
base_branch = "main"
bubble_branch = "bubble/b_legal_search_01"
work_mode = "worktree" # worktree|clone
quality_mode = "strict" # MVP: strict only
reviewer_context_mode = "fresh" # fresh|persistent (default: fresh)
watchdog_timeout_minutes = 5
max_rounds = 8
commit_requires_approval = true
open_command = "cursor {{worktree_path}}"

[agents]
implementer = "codex"
reviewer = "claude"

[commands]
test = "cd 05_finder && npm test"
typecheck = "cd 05_finder && npx tsc --noEmit"

[notifications]
enabled = true
waiting_human_sound = "/System/Library/Sounds/Ping.aiff"
converged_sound = "/System/Library/Sounds/Glass.aiff"
)");
  REQUIRE(settings);
  Settings expected = default_settings();
  expected.id = "b_legal_search_01";
  expected.repo_path = "/abs/path/to/repo";
  expected.base_branch = "main";
  expected.bubble_branch = "bubble/b_legal_search_01";
  expected.commands = {{"test", "cd 05_finder && npm test"},
                       {"typecheck", "cd 05_finder && npx tsc --noEmit"}};
  expected.waiting_human_sound = "/System/Library/Sounds/Ping.aiff";
  expected.converged_sound = "/System/Library/Sounds/Glass.aiff";
  CHECK(*settings == expected);
}

TEST_CASE("no layers and empty files give the defaults") {
  CHECK(merge_layers({}).value() == default_settings());
  CHECK(merge("").value() == default_settings());
  CHECK(merge("\xEF\xBB\xBF# only a byte order mark and a comment\r\n").value() ==
        default_settings());
  const Settings settings = default_settings();
  CHECK(find_agent(settings, AgentName("codex"))->command == std::vector<std::string>{"codex"});
  CHECK(find_agent(settings, AgentName("nobody")) == nullptr);
}

TEST_CASE("later layers win: tables by key, lists whole, checks keep their place") {
  const auto settings = merge_layers({
      {"user",
       "max_rounds = 3\nwork_mode = \"clone\"\n[commands]\nlint = \"a\"\ntest = \"b\"\n"
       "[scope]\nallow = [\"a\", \"b\"]\ndeny = [\"x\"]\n",
       Layer::user},
      {"repo", "max_rounds = 4\n[commands]\nsetup = \"s\"\n[scope]\nallow = [\"c\"]\n",
       Layer::repository},
      {"bubble", "id = \"login\"\n[commands]\ntest = \"c\"\nbuild = \"d\"\nlint = \"e\"\n"},
  });
  REQUIRE(settings);
  CHECK(settings->max_rounds == 4);
  CHECK(settings->work_mode == "clone");
  CHECK(settings->setup == "s");
  CHECK(settings->scope_allow == std::vector<std::string>{"c"});
  CHECK(settings->scope_deny == std::vector<std::string>{"x"});
  CHECK(settings->commands ==
        std::vector<NamedCommand>{{"lint", "e"}, {"test", "c"}, {"build", "d"}});
}

TEST_CASE("agents: own ones, overridden ones, a kind said again begins afresh") {
  const auto settings = merge_layers({
      {"user",
       "[agents.mine]\nkind = \"scripted\"\nscenario = \"demo\"\n"
       "[agents.codex]\ncommand = [\"codex\", \"--quiet\"]\n",
       Layer::user},
      {"bubble",
       "[agents]\nimplementer = \"mine\"\nreviewer = \"codex\"\n"
       "[agents.mine]\ncommand = [\"cat\"]\nkind = \"custom\"\n"},
  });
  REQUIRE(settings);
  CHECK(*find_agent(*settings, AgentName("mine")) ==
        AgentSettings{AgentName("mine"), &kTestCustom, {"cat"}, ""});
  CHECK(*find_agent(*settings, AgentName("codex")) ==
        AgentSettings{AgentName("codex"), &kTestCodex, {"codex", "--quiet"}, ""});
  CHECK(settings->agents.size() == 3);
  CHECK(merge("[agents.second]\nkind = \"claude\"\n[agents]\nreviewer = \"second\"\n")
            ->agents.back()
            .command == std::vector<std::string>{"claude"});
}

TEST_CASE("agents that cannot work are refused at their line") {
  CHECK(error_of("\n[agents.x]\ncommand = [\"a\"]\n").what ==
        "bubble.toml:2: [agents.x] has no kind");
  CHECK(error_of("[agents.x]\ncommand = [\"a\"]\n").fix ==
        "add kind = \"claude\", \"codex\", \"custom\" or \"scripted\"");
  const Error unknown = error_of("[agents.x]\nkind = \"gemini\\u001b[2J\"\n");
  CHECK(unknown.what == "bubble.toml:2: 'kind' cannot be 'gemini<U+001B>[2J'");
  CHECK(unknown.why == "it is one of claude, codex, custom, scripted");
  CHECK(unknown.fix == "write kind = \"claude\"");
  CHECK(error_of("[agents.x]\nkind = \"cluade\"\n").fix == "did you mean 'claude'?");
  CHECK(error_of("[agents.x]\nkind = \"custom\"\n").fix ==
        "add command = [\"program\", \"argument\"]");
  CHECK(error_of("[agents.x]\nkind = \"scripted\"\n").fix == "add scenario = \"demo\" or a file");
  CHECK(error_of("[agents.x]\nkind = \"scripted\"\nscenario = \"demo\"\ncommand = [\"a\"]\n")
            .what.contains("takes no command"));
  CHECK(error_of("[agents.codex]\nscenario = \"demo\"\n").what.contains("has a scenario"));
  CHECK(error_of("[agents.codex]\nheadless = [\"a\"]\n").what.contains("takes no headless"));
  CHECK(merge("[agents.x]\nkind = \"custom\"\nheadless = [\"a\"]\n"));  // for plans alone
  CHECK(error_of("[agents.human]\nkind = \"custom\"\n").why.contains("are taken"));
  CHECK(error_of("[agents.\"../x\"]\nkind = \"custom\"\n").what.contains("is not an agent name"));
  CHECK(error_of("[agents.implementer]\nkind = \"codex\"\n").what ==
        "bubble.toml:1: 'implementer' must be a string, not a table");
}

TEST_CASE("implementer and reviewer are two known agents") {
  auto error = error_of("[agents]\nimplementer = \"claude\"\n");
  CHECK(error.what == "bubble.toml:2: implementer and reviewer are both 'claude'");
  CHECK(error.fix == "set reviewer under [agents] to another agent");
  error = error_of("[agents]\nreviewer = \"cluade\"\n");
  CHECK(error.what == "bubble.toml:2: 'reviewer' names the unknown agent 'cluade'");
  CHECK(error.why == "known agents: claude, codex");
  CHECK(error.fix == "did you mean 'claude'?");
  error = error_of("[agents]\nreviewer = \"gemini\"\n[commands]\nreviewer = \"true\"\n");
  CHECK(error.what.starts_with("bubble.toml:2:"));
  CHECK(error.fix.contains("add a table [agents.gemini]"));
  const auto across = merge_layers({{"user", "[agents]\nreviewer = \"codex\"\n", Layer::user},
                                    {"bubble", "[agents]\nimplementer = \"codex\"\n"}});
  CHECK(across.error().what == "user:2: implementer and reviewer are both 'codex'");
}

TEST_CASE("unknown keys name file, line and the nearest key") {
  auto error = error_of("id = \"abc\"\nmax_round = 3\n");
  CHECK(error.what == "bubble.toml:2: unknown key 'max_round'");
  CHECK(error.fix == "did you mean 'max_rounds'?");
  CHECK(error_of("[notification]\nenabled = true\n").fix == "did you mean 'notifications'?");
  CHECK(error_of("implementer = \"codex\"\n").fix == "did you mean 'implementer' in [agents]?");
  error = error_of("[agents.x]\nkind = \"custom\"\ncomand = [\"a\"]\n");
  CHECK(error.what == "bubble.toml:3: unknown key 'comand' in [agents.x]");
  CHECK(error.fix == "did you mean 'command'?");
  CHECK(error_of("[tmux]\nxyzzy-plugh = 1\n").fix == "known here: socket");
  CHECK(error_of("[commands]\nTEST = \"make\"\n").why.contains("lower-case letter"));
  CHECK(error_of("\"\\u001b[31mred\" = 1\n").what ==
        "bubble.toml:1: unknown key '<U+001B>[31mred'");
}

TEST_CASE("modes we do not have are refused with the reason") {
  auto error = error_of("quality_mode = \"balanced\"\n");
  CHECK(error.what == "bubble.toml:1: 'quality_mode' cannot be 'balanced'");
  CHECK(error.why.contains("undefined policy behaviour"));
  CHECK(error.fix == "write quality_mode = \"strict\"");
  error = error_of("commit_requires_approval = false\n");
  CHECK(error.what == "bubble.toml:1: 'commit_requires_approval' cannot be 'false'");
  CHECK(error.why.contains("approval"));
  CHECK(error_of("work_mode = \"wroktree\"\n").fix == "did you mean 'worktree'?");
}

TEST_CASE("ranges, empty and hostile values") {
  for (const char* line : {"max_rounds = 0",
                           "max_rounds = 101",
                           "max_rounds = 9223372036854775807",
                           "watchdog_timeout_minutes = -1",
                           "watchdog_timeout_minutes = 1441",
                           "max_rounds = 1.5",
                           "id = \"..\"",
                           "id = \"Capital\"",
                           "repo_path = \"relative\"",
                           "base_branch = \"-f\"",
                           "base_branch = \" \"",
                           "open_command = \"\"",
                           "commands = {test = \"\"}",
                           "commands = {setup = \" \\n\"}",
                           "scope = {deny = [\"\"]}",
                           "scope = {allow = [1]}",
                           "agents = {codex = {command = []}}",
                           "agents = {codex = {command = [\"\"]}}",
                           "tmux = {socket = \"\"}",
                           "tmux = {socket = \"a b\"}",
                           "tmux = {socket = \"-L\"}",
                           "tmux = {socket = \"a/b\"}",
                           "policy = 3",
                           "agents = []",
                           "[[commands]]",
                           "open_command = \"a\\u0000b\"",
                           "max_rounds = 2026-02-21"})
    CHECK_MESSAGE(error_of(line).what.starts_with("bubble.toml:1:"), line);
  CHECK(merge("max_rounds = 1\nwatchdog_timeout_minutes = 1440")->max_rounds == 1);
  CHECK(merge("tmux = {socket = \"/run/x y\"}")->tmux_socket == "/run/x y");
  CHECK(merge("policy = {risk_words = []}")->risk_words.empty());
}

TEST_CASE("a bubble's own keys are refused in shared files") {
  for (const char* key : {"id", "repo_path", "base_branch", "bubble_branch"}) {
    const auto settings =
        merge_layers({{"config.toml", std::string(key) + " = \"/abc\"\n", Layer::repository}});
    REQUIRE(!settings);
    CHECK(settings.error().what.contains("belongs in a bubble's own bubble.toml"));
  }
}

TEST_CASE("several mistakes are listed together, ten at most, over all files") {
  const auto two = merge_layers({{"user", "max_rounds = [", Layer::user},
                                 {"repo", "x_y_z = 1\nmax_rounds = \"8\"\n", Layer::repository}});
  REQUIRE(!two);
  CHECK(two.error().what == "3 mistakes in the configuration");
  CHECK(two.error().why.starts_with("user:1: not valid TOML"));
  CHECK(two.error().why.contains("\nrepo:1: unknown key 'x_y_z'"));
  CHECK(two.error().why.ends_with("rounds before you are asked (write max_rounds = 8)"));
  std::string many;
  for (int i = 0; i < 25; ++i) many += "key" + std::to_string(i) + " = 1\n";
  CHECK(error_of(many).why.ends_with("\nand 15 more"));
}

}  // namespace pf
