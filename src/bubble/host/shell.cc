#include "bubble/host/shell.h"

#include "loop/agent_sandbox.h"
#include "loop/confined_command.h"

namespace pf {

Result<BubbleShell> plan_shell(BubbleLoop& loop, const bubble::State& state,
                               std::vector<std::string> words) {
  Os& os = loop.os();
  const BubblePaths& paths = loop.paths();
  if (words.empty()) words = {os.env.get("SHELL").value_or("/bin/sh")};
  if (words.front().empty()) words.front() = "/bin/sh";
  ConfinedCommand wanted{.argv = std::move(words), .directory = state.place.worktree};
  wanted.terminal = true;
  const LaunchPlan plan =
      TRY(plan_like_a_check(os, paths, paths.id.str(), TRY(loop.settings()), wanted));
  return BubbleShell{{TRY(entering(os, paths.shell_plan, plan)), state.place.worktree},
                     plan.enforcement};
}

}  // namespace pf
