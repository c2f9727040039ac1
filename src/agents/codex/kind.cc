#include <fmt/format.h>

#include "agents/launch_parts.h"
#include "base/json.h"

// Codex CLI, as seen with 0.166.
namespace pf {

std::unique_ptr<StreamLines> codex_lines(const AgentKind& kind);  // lines.cc

namespace {

constexpr std::array<Arguments, 17> kCodexArguments = {{
    {When::headless, {"exec"}},
    {When::continues, {"resume", "{conversation}"}},
    {When::headless, {"--json", "--skip-git-repo-check"}},
    // Its background process would outlive the pane.
    {When::in_pane, {"--no-daemon"}},
    {When::always, {"--dangerously-bypass-hook-trust"}},
    {When::always, {"-c", "check_for_update_on_startup=false"}},
    // A login shell resets PATH, and with it goes pairflow.
    {When::always, {"-c", "allow_login_shell=false"}},
    {When::always, {"-c", "projects={trust}"}},
    {When::always, {"-c", "hooks={hooks}"}},
    {When::always, {"-c", "mcp_servers.pairflow={mcp}"}},
    {When::confined, {"--dangerously-bypass-approvals-and-sandbox"}},
    // As settings, because `exec` has no options for them.
    {When::unconfined, {"-c", "approval_policy=\"never\""}},
    {When::edits, {"-c", "sandbox_mode=\"workspace-write\""}},
    {When::edits, {"-c", "sandbox_workspace_write={writable}"}},
    {When::reads, {"-c", "default_permissions=\"pairflow\""}},
    {When::reads, {"-c", "permissions.pairflow={readable}"}},
    {When::modelled, {"-m", "{model}"}},
}};
constexpr std::array<Arguments, 2> kPrompt = {
    {{When::prompted, {"--", "{prompt}"}}, {When::headless, {"-"}}}};

constexpr std::array<std::string_view, 7> kCodexHooks = {
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest",
    "Stop",         "SessionEnd"};
// Seconds that a tool of ours may take: ask_user waits for its answer for most of a minute.
constexpr int kToolSeconds = 120;

constexpr std::array<OwnFiles::Name, 10> kCodexConfiguration = {{{"config.toml", ""},
                                                                 {"hooks.json", "{}\n"},
                                                                 {"AGENTS.md", ""},
                                                                 {"AGENTS.override.md", ""},
                                                                 {"prompts"},
                                                                 {"rules"},
                                                                 {"skills"},
                                                                 {"plugins"},
                                                                 {"agents"},
                                                                 {"bin"}}};
constexpr auto kCodexWritten = std::to_array<std::string_view>({".codex-global-state.json",
                                                                ".credentials.json",
                                                                ".personality_migration",
                                                                ".sandbox",
                                                                ".sandbox_migration",
                                                                ".tmp",
                                                                "ambient-suggestions",
                                                                "app-server-control",
                                                                "app-server-daemon",
                                                                "archived_sessions",
                                                                "attachments",
                                                                "auth.json",
                                                                "cache",
                                                                "cap_sid",
                                                                "generated_images",
                                                                "installation_id",
                                                                "internal_storage.json",
                                                                "log",
                                                                "mcp-oauth-locks",
                                                                "memories",
                                                                "models_cache.json",
                                                                "process_manager",
                                                                "sessions",
                                                                "sqlite",
                                                                "thread-writer-locks",
                                                                "version.json",
                                                                "worktrees"});
constexpr auto kCodexApart = std::to_array<std::string_view>({"shell_snapshots", "tmp"});
constexpr OwnFiles kCodexOwn = {kCodexConfiguration, kCodexWritten, kCodexApart};

// A JSON string is a TOML string too.
std::string toml_text(std::string_view text) { return dump(Json(text)); }

std::string hooks(const LaunchContext& context) {
  std::string table;
  for (const std::string_view event : hooks_of(context, kCodexHooks))
    table += fmt::format("{}{}=[{{hooks=[{{type=\"command\",command={}}}]}}]",
                         table.empty() ? "" : ",", event, toml_text(own_command(context, "hook")));
  return "{" + table + "}";
}

std::string codex_server(const AgentSettings& agent, const LaunchContext& context) {
  std::string variables;
  for (const auto& [name, value] : own_variables(agent, context))
    variables += fmt::format("{}{}={}", variables.empty() ? "" : ",", name, toml_text(value));
  return fmt::format(
      "{{command={},args=[\"mcp\"],env={{{}}},default_tools_approval_mode=\"approve\","
      "tool_timeout_sec={}}}",
      toml_text(context.executable.string()), variables, kToolSeconds);
}

Result<AgentLaunch> plan_codex(const AgentSettings& agent, const LaunchContext& context) {
  AgentLaunch launch = TRY(configured_command(agent));
  Fillings fillings = usual_fillings(context);
  fillings["trust"] =
      fmt::format("{{{}={{trust_level=\"trusted\"}}}}", toml_text(context.worktree.string()));
  fillings["hooks"] = hooks(context);
  fillings["mcp"] = codex_server(agent, context);
  // Its way out is a socket, which its own sandbox counts as network.
  fillings["writable"] = "{network_access=true}";
  fillings["readable"] =
      "{extends=\":read-only\",filesystem={\":tmpdir\"=\"write\"},network={enabled=true}}";
  add_arguments(launch.argv, kCodexArguments, context, fillings);
  add_arguments(launch.argv, kPrompt, context, fillings);
  if (context.headless) launch.input = context.prompt;
  launch.keep = {"OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"};
  const auto chosen = variable_of(context, "CODEX_HOME");
  const Path directory = chosen ? Path(*chosen) : context.home / ".codex";
  add_own_directory(launch, directory, kCodexOwn);
  // A new conversation is named by the program, which tells with its first prompt.
  if (context.continues) launch.conversation = context.conversation;
  launch.confirms = true;
  return launch;
}

constexpr std::array<Troubles::Line, 2> kCodexOnScreen = {{{"■"}, {"Reconnecting..."}}};

}  // namespace

extern constexpr AgentKind kCodex = {
    {.name = "codex", .program = "codex"},
    plan_codex,
    codex_lines,
    Look{.box = "›", .empty = "Ask Codex to do anything", .beside = " · /"},
    Versions{"--version", {0, 166, 0}, {0, 167, 0}},
    Troubles{.on_screen = kCodexOnScreen},
    kCodexOwn};

}  // namespace pf
