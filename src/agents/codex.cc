#include "agents/kinds.h"

namespace pf {

Result<AgentLaunch> plan_codex(const AgentSettings& agent, const LaunchContext&) {
  AgentLaunch launch = TRY(configured_command(agent));
  launch.keep = {"OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"};
  launch.home_writable = {".codex"};
  return launch;
}

}  // namespace pf
