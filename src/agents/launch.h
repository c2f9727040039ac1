#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "os/path.h"

namespace pf {

struct LaunchContext;

// A file of the user's that the agent gets a changed copy of, in its own place; only where it is
// confined.
struct PrivateCopy {
  Path file;
  Result<std::string> (*changed)(std::string_view text, const LaunchContext& context);
};

// What runs in an agent's pane, or headless.
struct AgentLaunch {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // set
  std::vector<std::string> keep = {};  // variables of the terminal's own that stay, X*: all
  std::vector<std::string> home_writable = {};  // absolute, or below the home directory
  std::vector<std::string> home_visible = {};   // and those it reads
  std::vector<std::string> home_sealed = {};    // inside the writable ones, read-only again
  Path own_directory = {};  // where its kind's OwnFiles are; "" when it has none
  std::vector<PrivateCopy> copies = {};
  std::string conversation = {};  // by which it can be continued, as far as it is known
  std::string input = {};         // headless: all of its standard input
  bool takes_prompt = true;       // it is told by its arguments or its input
  bool confirms = false;          // it tells by its hooks when it has taken a prompt
};

// What one launch may depend on.
struct LaunchContext {
  Path repo;                                              // top of the repository
  std::vector<std::pair<std::string, std::string>> loop;  // the variables that name it: PAIRFLOW_…
  std::string role;                                       // as the agent is to call it
  bool edits = false;                                     // it may write the worktree
  Path worktree;
  Path briefing;            // the file that tells the agent its role, rules and task
  Path executable;          // this program, absolute
  std::string path;         // the caller's PATH
  std::string tmux_socket;  // PAIRFLOW_TMUX_SOCKET when set
  Path artifacts;
  bool confined = false;                 // by our own sandbox
  bool headless = false;                 // one run without a terminal; StreamReader reads it
  std::string channel = {};              // the agent's socket, as it sees it
  std::string prompt = {};               // what it is told first; "" for nothing
  std::string conversation = {};         // an id for a new one, or that of the one to go on with
  bool continues = false;                // it goes on with that one
  std::string model = {};                // for its role; "" leaves it to the program
  std::vector<std::string> checks = {};  // the commands a reviewer may want to run
  Path home = {};
  std::vector<std::string> environment = {};  // ours, NAME=value
};

// Pure. The environment always names repository, loop and agent and puts our own program first on
// PATH; argv is the kind's affair.
Result<AgentLaunch> plan_launch(const AgentSettings& agent, const LaunchContext& context);

}  // namespace pf
