#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "config/settings.h"
#include "os/path.h"

namespace pf {

// What runs in an agent's pane.
struct AgentLaunch {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // set
  std::vector<std::string> keep = {};  // variables of the terminal's own that stay, X*: all
  std::vector<std::string> home_writable = {};  // paths below the home directory it works with
  std::vector<std::string> home_visible = {};   // and those it reads
};

// What one launch may depend on.
struct LaunchContext {
  Path repo;  // top of the repository
  BubbleId bubble;
  std::string role;  // implementer | reviewer
  Path worktree;
  Path briefing;            // the file that tells the agent its role, rules and task
  Path executable;          // this program, absolute
  std::string path;         // the caller's PATH
  std::string tmux_socket;  // PAIRFLOW_TMUX_SOCKET when set
  Path artifacts;
};

// Pure. The environment always names repository, bubble and agent and puts our own program first
// on PATH; argv is the kind's affair.
Result<AgentLaunch> plan_launch(const AgentSettings& agent, const LaunchContext& context);

}  // namespace pf
