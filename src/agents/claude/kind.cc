#include <fmt/format.h>

#include "agents/launch_parts.h"
#include "base/json.h"

// Claude Code, as seen with 2.1.
namespace pf {

std::unique_ptr<StreamLines> claude_lines(const AgentKind& kind);  // lines.cc

namespace {

constexpr std::array<Arguments, 10> kClaudeArguments = {{
    {When::headless, {"-p", "--output-format", "stream-json", "--verbose"}},
    {When::always, {"--settings", "{settings}"}},
    {When::always, {"--mcp-config", "{mcp}", "--strict-mcp-config"}},
    {When::confined, {"--permission-mode", "bypassPermissions"}},
    {When::edits, {"--permission-mode", "acceptEdits"}},
    {When::reads, {"--permission-mode", "dontAsk"}},
    {When::modelled, {"--model", "{model}"}},
    {When::begins, {"--session-id", "{conversation}"}},
    {When::continues, {"--resume", "{conversation}"}},
    {When::prompted, {"--", "{prompt}"}},
}};

constexpr std::array<std::string_view, 8> kClaudeHooks = {
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest",
    "Stop",         "StopFailure",      "SessionEnd"};
constexpr std::array<OwnFiles::Name, 11> kClaudeConfiguration = {{{"settings.json", "{}\n"},
                                                                  {"settings.local.json", "{}\n"},
                                                                  {"CLAUDE.md", ""},
                                                                  {"agents"},
                                                                  {"commands"},
                                                                  {"hooks"},
                                                                  {"plugins"},
                                                                  {"skills"},
                                                                  {"output-styles"},
                                                                  {"rules"},
                                                                  {"bin"}}};
constexpr auto kClaudeWritten = std::to_array<std::string_view>({".credentials.json",
                                                                 ".deep-link-register-failed",
                                                                 ".last-cleanup",
                                                                 ".last-update-result.json",
                                                                 "agent-memory",
                                                                 "backups",
                                                                 "cache",
                                                                 "ccr",
                                                                 "chrome",
                                                                 "daemon",
                                                                 "daemon.scheduled.status.json",
                                                                 "daemon.status.json",
                                                                 "debug",
                                                                 "downloads",
                                                                 "dump-prompts",
                                                                 "feedback",
                                                                 "feedback-bundles",
                                                                 "file-history",
                                                                 "gh-pr-status-cache.json",
                                                                 "ide",
                                                                 "image-cache",
                                                                 "jobs",
                                                                 "mcp-discovery-cache",
                                                                 "mcp-needs-auth-cache.json",
                                                                 "memory",
                                                                 "paste-cache",
                                                                 "plans",
                                                                 "policy-limits.json",
                                                                 "projects",
                                                                 "remote-control",
                                                                 "remote-settings.json",
                                                                 "sessions",
                                                                 "shares",
                                                                 "startup-perf",
                                                                 "state",
                                                                 "stats-cache.json",
                                                                 "statsig",
                                                                 "tasks",
                                                                 "teams",
                                                                 "telemetry",
                                                                 "todos",
                                                                 "traces",
                                                                 "uploads",
                                                                 "usage-data"});
constexpr auto kClaudeApart = std::to_array<std::string_view>({"session-env", "shell-snapshots"});
constexpr auto kClaudeRecords = std::to_array<std::string_view>({"file-history"});
constexpr OwnFiles kClaudeOwn = {kClaudeConfiguration, kClaudeWritten, kClaudeApart,
                                 kClaudeRecords};
constexpr int kHookSeconds = 10;

// Without our sandbox its own rules are all that holds it back.
JsonObject own_rules(const LaunchContext& context) {
  // The human is asked by pairflow, not by a dialog.
  JsonObject rules{{"deny", JsonArray{"AskUserQuestion"}}};
  if (context.confined) return rules;
  JsonArray allow{"Bash(pairflow:*)", "mcp__pairflow", "Read", "Grep", "Glob"};
  for (const std::string& check : context.checks)
    allow.push_back(Json(fmt::format("Bash({})", check)));
  rules["allow"] = std::move(allow);
  if (!context.edits)
    for (const char* tool : {"Edit", "Write", "NotebookEdit"})
      rules["deny"].as_array().push_back(Json(tool));
  return rules;
}

std::string settings(const LaunchContext& context) {
  const JsonObject call{
      {"type", "command"}, {"command", own_command(context, "hook")}, {"timeout", kHookSeconds}};
  JsonObject hooks;
  for (const std::string_view event : hooks_of(context, kClaudeHooks))
    hooks[event] = JsonArray{JsonObject{{"matcher", "*"}, {"hooks", JsonArray{call}}}};
  return dump(JsonObject{{"skipDangerousModePermissionPrompt", true},
                         {"hooks", std::move(hooks)},
                         {"permissions", own_rules(context)}});
}

std::string claude_server(const AgentSettings& agent, const LaunchContext& context) {
  JsonObject variables;
  for (const auto& [name, value] : own_variables(agent, context)) variables[name] = value;
  const JsonObject server{{"type", "stdio"},
                          {"command", context.executable.string()},
                          {"args", JsonArray{"mcp"}},
                          {"env", std::move(variables)},
                          {"alwaysLoad", true}};
  return dump(JsonObject{{"mcpServers", JsonObject{{"pairflow", server}}}});
}

// The user's own file with trust for the worktree; the agent works on this copy.
Result<std::string> with_trust(std::string_view text, const LaunchContext& context) {
  Json all = JsonObject{};
  if (!text.empty()) all = TRY(parse_json(text));
  if (!all.is_object()) return fail(Exit::machine, "it holds no JSON object");
  Json& projects = all.as_object()["projects"];
  if (!projects.is_object()) projects = JsonObject{};
  Json& project = projects.as_object()[context.worktree.string()];
  if (!project.is_object()) project = JsonObject{};
  project.as_object()["hasTrustDialogAccepted"] = true;
  return dump(all.as_object());
}

Result<AgentLaunch> plan_claude(const AgentSettings& agent, const LaunchContext& context) {
  AgentLaunch launch = TRY(configured_command(agent));
  Fillings fillings = usual_fillings(context);
  fillings["settings"] = settings(context);
  fillings["mcp"] = claude_server(agent, context);
  add_arguments(launch.argv, kClaudeArguments, context, fillings);
  if (context.headless) launch.input = context.prompt;
  launch.keep = {"ANTHROPIC_*", "CLAUDE_*",  "AWS_*", "CLOUD_ML_REGION",
                 "GOOGLE_*",    "DISABLE_*", "MCP_*"};
  // It refuses to run as root without knowing that something else confines it.
  if (context.confined) launch.environment.emplace_back("IS_SANDBOX", "1");
  launch.environment.emplace_back("DISABLE_AUTOUPDATER", "1");
  const auto chosen = variable_of(context, "CLAUDE_CONFIG_DIR");
  const Path directory = chosen ? Path(*chosen) : context.home / ".claude";
  add_own_directory(launch, directory, kClaudeOwn);
  launch.home_writable.emplace_back(".cache/claude-cli-nodejs");
  launch.home_visible = {".local/share/claude"};
  launch.copies = {{(chosen ? directory : context.home) / ".claude.json", with_trust}};
  launch.conversation = context.conversation;
  launch.confirms = true;
  return launch;
}

constexpr std::array<Troubles::Line, 3> kClaudeOnScreen = {
    {{"API Error"}, {"You've hit your", "limit"}, {"", "· Retrying in"}}};

}  // namespace

extern constexpr AgentKind kClaude = {{.name = "claude", .program = "claude"},
                                      plan_claude,
                                      claude_lines,
                                      Look{.box = "❯"},
                                      Versions{"--version", {2, 1, 197}, {2, 2, 0}},
                                      Troubles{.on_screen = kClaudeOnScreen},
                                      kClaudeOwn};

}  // namespace pf
