#include <fmt/format.h>

#include "agents/kinds.h"
#include "base/json.h"

// Codex CLI, as seen with 0.166.
namespace pf {
namespace {

constexpr std::array<Arguments, 13> kArguments = {{
    {When::continues, {"resume", "{conversation}"}},
    // Its background process would outlive the pane.
    {When::always, {"--no-daemon", "--dangerously-bypass-hook-trust"}},
    {When::always, {"-c", "check_for_update_on_startup=false"}},
    // A login shell resets PATH, and with it goes pairflow.
    {When::always, {"-c", "allow_login_shell=false"}},
    {When::always, {"-c", "projects={trust}"}},
    {When::always, {"-c", "hooks={hooks}"}},
    {When::always, {"-c", "mcp_servers.pairflow={mcp}"}},
    {When::confined, {"--dangerously-bypass-approvals-and-sandbox"}},
    {When::implements, {"-a", "never", "-s", "workspace-write"}},
    {When::implements, {"-c", "sandbox_workspace_write={writable}"}},
    {When::reviews, {"-a", "never", "-c", "default_permissions=\"pairflow\""}},
    {When::reviews, {"-c", "permissions.pairflow={readable}"}},
    {When::modelled, {"-m", "{model}"}},
}};
constexpr std::array<Arguments, 1> kPrompt = {{{When::prompted, {"--", "{prompt}"}}}};

constexpr std::array kHooks = {"SessionStart", "UserPromptSubmit",  "PreToolUse",
                               "PostToolUse",  "PermissionRequest", "Stop",
                               "SessionEnd"};

constexpr std::array<std::string_view, 10> kConfiguration = {
    "config.toml", "hooks.json", "AGENTS.md", "AGENTS.override.md", "prompts", "rules", "skills",
    "plugins",     "agents",     "bin"};

// A JSON string is a TOML string too.
std::string toml_text(std::string_view text) { return dump(Json(text)); }

std::string hooks(const LaunchContext& context) {
  std::string table;
  for (const char* event : kHooks)
    table += fmt::format("{}{}=[{{hooks=[{{type=\"command\",command={}}}]}}]",
                         table.empty() ? "" : ",", event, toml_text(own_command(context, "hook")));
  return "{" + table + "}";
}

std::string mcp(const AgentSettings& agent, const LaunchContext& context) {
  std::string variables;
  for (const auto& [name, value] : own_variables(agent, context))
    variables += fmt::format("{}{}={}", variables.empty() ? "" : ",", name, toml_text(value));
  return fmt::format(
      "{{command={},args=[\"mcp\"],env={{{}}},default_tools_approval_mode=\"approve\"}}",
      toml_text(context.executable.string()), variables);
}

}  // namespace

Result<AgentLaunch> plan_codex(const AgentSettings& agent, const LaunchContext& context) {
  AgentLaunch launch = TRY(configured_command(agent));
  Fillings fillings = usual_fillings(context);
  fillings["trust"] =
      fmt::format("{{{}={{trust_level=\"trusted\"}}}}", toml_text(context.worktree.string()));
  fillings["hooks"] = hooks(context);
  fillings["mcp"] = mcp(agent, context);
  // Its way out is a socket, which its own sandbox counts as network.
  fillings["writable"] = "{network_access=true}";
  fillings["readable"] =
      "{extends=\":read-only\",filesystem={\":tmpdir\"=\"write\"},network={enabled=true}}";
  add_arguments(launch.argv, kArguments, context, fillings);
  add_arguments(launch.argv, kPrompt, context, fillings);
  launch.keep = {"OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"};
  const auto chosen = variable_of(context, "CODEX_HOME");
  const Path directory = chosen ? Path(*chosen) : context.home / ".codex";
  launch.home_writable = {directory.string()};
  launch.home_sealed = sealed_below(directory, kConfiguration);
  // A new conversation is named by the program, which tells with its first prompt.
  if (context.continues) launch.conversation = context.conversation;
  launch.confirms = true;
  return launch;
}

}  // namespace pf
