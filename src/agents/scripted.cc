#include <fmt/format.h>

#include "agents/kinds.h"
#include "agents/scenario.h"

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
  return launch;
}

}  // namespace pf
