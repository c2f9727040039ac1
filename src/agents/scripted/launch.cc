#include <fmt/format.h>

#include "agents/kinds.h"
#include "agents/scripted/scenario.h"

namespace pf {

// A scenario file is looked for from the top of the repository: the pane begins elsewhere.
Result<AgentLaunch> plan_scripted(const AgentSettings& agent, const LaunchContext& context) {
  if (agent.scenario.empty())
    return fail(Exit::usage, fmt::format("[agents.{}] has no scenario", agent.name.str()),
                "an agent of kind scripted plays one", "add scenario = \"demo\" or a file");
  const std::string scenario = agent.scenario == kDemoScenario
                                   ? agent.scenario
                                   : (context.repo / agent.scenario).lexically_normal().string();
  AgentLaunch launch{{context.executable.string(), "agent-script", "--scenario", scenario}, {}};
  launch.takes_prompt = false;
  if (!context.headless) return launch;
  launch.argv.emplace_back("--headless");
  // The prompt is not for it; what it played already is what its conversation is.
  launch.takes_prompt = true;
  if (context.continues) launch.conversation = context.conversation;
  if (context.continues)
    launch.argv.insert(launch.argv.end(), {"--conversation", context.conversation});
  return launch;
}

}  // namespace pf
