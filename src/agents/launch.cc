#include "agents/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agents/enter.h"
#include "agents/kinds.h"
#include "base/check.h"
#include "base/text.h"

namespace pf {
namespace {

struct Kind {
  std::string_view name;
  Planner plan;
};

constexpr std::array<Kind, 4> kKinds = {{{"claude", plan_claude},
                                         {"codex", plan_codex},
                                         {"custom", plan_custom},
                                         {"scripted", plan_scripted}}};

// Without any PATH the programs of the system are still found.
constexpr std::string_view kSystemPath = "/usr/local/bin:/usr/bin:/bin";

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

}  // namespace

Result<AgentLaunch> configured_command(const AgentSettings& agent) {
  if (agent.command.empty())
    return fail(Exit::usage, fmt::format("[agents.{}] has no command", agent.name.str()),
                fmt::format("an agent of kind {} is a program", agent.kind),
                "add command = [\"program\", \"argument\"]");
  return AgentLaunch{agent.command, {}};
}

Result<AgentLaunch> plan_launch(const AgentSettings& agent, const LaunchContext& context) {
  PF_CHECK(context.executable.is_absolute());
  const auto kind = std::ranges::find(kKinds, agent.kind, &Kind::name);
  if (kind == kKinds.end())
    return fail(Exit::usage,
                fmt::format("[agents.{}] has the unknown kind '{}'", agent.name.str(),
                            printable(clip(agent.kind, 60))),
                "", "write kind = \"claude\", \"codex\", \"custom\" or \"scripted\"");
  AgentLaunch launch = TRY(kind->plan(agent, context));
  auto& environment = launch.environment;
  environment.emplace_back("PAIRFLOW_REPO", context.repo.string());
  environment.emplace_back("PAIRFLOW_BUBBLE", context.bubble.str());
  environment.emplace_back("PAIRFLOW_AGENT", agent.name.str());
  environment.emplace_back("PATH", TRY(search_path(context)));
  if (!context.tmux_socket.empty())
    environment.emplace_back("PAIRFLOW_TMUX_SOCKET", context.tmux_socket);
  for (std::string& name : usual_variables()) launch.keep.push_back(std::move(name));
  launch.keep.insert(launch.keep.end(), agent.env.begin(), agent.env.end());
  launch.home_writable.insert(launch.home_writable.end(), agent.home.begin(), agent.home.end());
  return launch;
}

}  // namespace pf
