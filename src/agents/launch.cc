#include "agents/launch.h"

#include <fmt/format.h>

#include <array>

#include "agents/launch_parts.h"
#include "base/check.h"
#include "base/text.h"

namespace pf {
namespace {

// Without any PATH the programs of the system are still found.
constexpr std::string_view kSystemPath = "/usr/local/bin:/usr/bin:/bin";

// What any program at a terminal may need; nothing that leads to tmux, a desktop or a key ring.
constexpr std::string_view kUsualVariables =
    "HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM NO_COLOR COLUMNS LINES "
    "EDITOR VISUAL PAGER HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy "
    "all_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS NODE_OPTIONS "
    "GIT_AUTHOR_* GIT_COMMITTER_* CI";

// PATH on which `pairflow` is our own program, whatever else is installed.
Result<std::string> search_path(const LaunchContext& context) {
  const std::string ours = context.executable.parent_path().string();
  if (ours.contains(':'))
    return fail(Exit::machine,
                fmt::format("agents could not find pairflow in '{}'", printable(ours)),
                "a directory with ':' in its name cannot be on PATH",
                "install pairflow in another directory");
  std::string rest = context.path.empty() ? std::string(kSystemPath) : context.path;
  if (rest == ours || rest.starts_with(ours + ":")) return rest;
  return ours + ":" + rest;
}

bool holds(When when, const LaunchContext& context) {
  switch (when) {
    case When::always: return true;
    case When::confined: return context.confined;
    case When::unconfined: return !context.confined;
    case When::edits: return !context.confined && context.edits;
    case When::reads: return !context.confined && !context.edits;
    case When::modelled: return !context.model.empty();
    case When::begins: return !context.continues;
    case When::continues: return context.continues;
    case When::in_pane: return !context.headless;
    case When::headless: return context.headless;
    case When::prompted: return !context.headless && !context.prompt.empty();
  }
  return false;
}

}  // namespace

std::string filled_in(std::string_view word, const Fillings& fillings) {
  std::string out;
  while (!word.empty()) {
    const auto open = word.find('{');
    out += word.substr(0, open);
    if (open == std::string_view::npos) break;
    word.remove_prefix(open);
    const auto close = word.find('}');
    const auto known =
        close == std::string_view::npos ? fillings.end() : fillings.find(word.substr(1, close - 1));
    out += known == fillings.end() ? "{" : known->second;
    word.remove_prefix(known == fillings.end() ? 1 : close + 1);
  }
  return out;
}

void add_arguments(std::vector<std::string>& argv, std::span<const Arguments> table,
                   const LaunchContext& context, const Fillings& fillings) {
  for (const Arguments& group : table) {
    if (!holds(group.when, context)) continue;
    for (const std::string_view word : group.words)
      if (!word.empty()) argv.push_back(filled_in(word, fillings));
  }
}

Fillings usual_fillings(const LaunchContext& context) {
  return {{"prompt", context.prompt},     {"conversation", context.conversation},
          {"model", context.model},       {"role", context.role},
          {"worktree", context.worktree}, {"briefing", context.briefing}};
}

std::span<const std::string_view> hooks_of(const LaunchContext& context,
                                           std::span<const std::string_view> all) {
  static constexpr std::array<std::string_view, 1> kHeadless = {"PostToolUse"};
  return context.headless ? std::span<const std::string_view>(kHeadless) : all;
}

std::string own_command(const LaunchContext& context, std::string_view word) {
  return fmt::format("{} {}", shell_quoted(context.executable.string()), word);
}

std::vector<std::pair<std::string, std::string>> own_variables(const AgentSettings& agent,
                                                               const LaunchContext& context) {
  auto variables = context.loop;
  variables.emplace_back("PAIRFLOW_REPO", context.repo.string());
  variables.emplace_back("PAIRFLOW_AGENT", agent.name.str());
  if (!context.channel.empty()) variables.emplace_back("PAIRFLOW_CHANNEL", context.channel);
  return variables;
}

std::optional<std::string> variable_of(const LaunchContext& context, std::string_view name) {
  for (const std::string& entry : context.environment)
    if (entry.starts_with(name) && entry.size() > name.size() + 1 && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

void add_own_directory(AgentLaunch& launch, const Path& directory, const OwnFiles& own) {
  launch.own_directory = directory;
  launch.home_writable.push_back(directory.string());
  for (const OwnFiles::Name& name : own.configuration)
    launch.home_sealed.push_back((directory / name.name).string());
}

Result<AgentLaunch> configured_command(const AgentSettings& agent, bool headless) {
  const bool own_headless = headless && agent.kind->takes_templates;
  if (own_headless && agent.headless.empty())
    return fail(Exit::usage, fmt::format("[agents.{}] has no headless", agent.name.str()),
                "a plan runs its agents without a terminal, and how this one does is not known",
                "add headless = [\"program\", \"argument\"]; unless {prompt} is among them, the "
                "program reads the prompt from its standard input");
  if (own_headless) return AgentLaunch{agent.headless, {}};
  if (agent.command.empty())
    return fail(Exit::usage, fmt::format("[agents.{}] has no command", agent.name.str()),
                fmt::format("an agent of kind {} is a program", agent.kind->name),
                "add command = [\"program\", \"argument\"]");
  return AgentLaunch{agent.command, {}};
}

Result<AgentLaunch> plan_launch(const AgentSettings& agent, const LaunchContext& context) {
  PF_CHECK(context.executable.is_absolute());
  AgentLaunch launch = TRY(kind_of(agent).launch(agent, context));
  auto& environment = launch.environment;
  for (auto& variable : own_variables(agent, context)) environment.push_back(std::move(variable));
  environment.emplace_back("PATH", TRY(search_path(context)));
  if (!context.tmux_socket.empty())
    environment.emplace_back("PAIRFLOW_TMUX_SOCKET", context.tmux_socket);
  for (const auto name : split(kUsualVariables, ' ')) launch.keep.emplace_back(name);
  launch.keep.insert(launch.keep.end(), agent.env.begin(), agent.env.end());
  launch.home_writable.insert(launch.home_writable.end(), agent.home.begin(), agent.home.end());
  return launch;
}

}  // namespace pf
