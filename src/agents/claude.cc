#include "agents/kinds.h"

namespace pf {

Result<AgentLaunch> plan_claude(const AgentSettings& agent, const LaunchContext&) {
  return configured_command(agent);
}

}  // namespace pf
