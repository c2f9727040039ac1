#pragma once
#include "bubble/host/loop.h"

namespace pf {

struct BubbleShell {
  Command command;          // to be run in the foreground
  std::string enforcement;  // "sandbox", or why it is advisory
};
// The human's shell, or a command, in the worktree, which it may write; confined as a check is, so
// that what the agents left there cannot do more than theirs.
Result<BubbleShell> plan_shell(BubbleLoop& loop, const bubble::State& state,
                               std::vector<std::string> words);

}  // namespace pf
