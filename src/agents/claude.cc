#include "agents/kinds.h"

namespace pf {

Result<AgentLaunch> plan_claude(const AgentSettings& agent, const LaunchContext&) {
  AgentLaunch launch = TRY(configured_command(agent));
  launch.keep = {"ANTHROPIC_*", "CLAUDE_*",  "AWS_*", "CLOUD_ML_REGION",
                 "GOOGLE_*",    "DISABLE_*", "MCP_*", "IS_SANDBOX"};
  launch.home_writable = {".claude", ".claude.json", ".cache/claude-cli-nodejs"};
  launch.home_visible = {".local/share/claude"};
  return launch;
}

}  // namespace pf
