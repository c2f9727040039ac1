#pragma once
#include "agents/enter.h"
#include "config/settings.h"
#include "loop/paths.h"
#include "sandbox/bubblewrap.h"

namespace pf {

// What a check of the loop sees: `directory` alone is writable, but for .git in it; .pairflow is
// not there. It finds `name`, its loop's, in PAIRFLOW_CHECK.
Result<Confinement> confinement_of_check(Os& os, const LoopPaths& loop, const std::string& name,
                                         const Settings& settings, const Path& directory);

// A command of the human's that may run what agents wrote: a hook, a shell.
struct ConfinedCommand {
  std::vector<std::string> argv;
  Path directory = {};                            // writable; where it starts
  bool terminal = false;                          // it is on our terminal
  std::vector<Path> sealed = {};                  // read-only, inside the directory
  std::vector<Path> visible = {};                 // besides what checks see
  std::vector<std::pair<Path, Path>> shown = {};  // the same, at another place
  std::vector<std::pair<Path, Path>> bound = {};  // writable, at another place
  std::vector<LaunchPlan::Variable> variables = {};
};

// How such a process begins: confined as a check is where this machine can; `enforcement` says so,
// or why it is advisory. It sees the variables that a check sees, too.
Result<LaunchPlan> plan_like_a_check(Os& os, const LoopPaths& loop, const std::string& name,
                                     const Settings& settings, const ConfinedCommand& command);

}  // namespace pf
