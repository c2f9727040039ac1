#include "agents/kinds.h"

namespace pf {

Result<AgentLaunch> plan_codex(const AgentSettings& agent, const LaunchContext&) {
  return configured_command(agent);
}

}  // namespace pf
