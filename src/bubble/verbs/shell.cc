#include "bubble/host/shell.h"

#include <fmt/format.h>

#include "base/text.h"
#include "bubble/verbs/verbs.h"

namespace pf {

Result<Said> run_shell(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  if (!TRY(caller.os.files.exists(state.place.worktree))) return no_worktree(state);
  const BubbleShell shell = TRY(plan_shell(loop, state, args.all("command")));
  if (shell.enforcement != "sandbox")
    caller.os.env.print(Stream::err, fmt::format("{}\n", printable(shell.enforcement)));
  Said said;
  said.exit = TRY(caller.os.processes.run_in_foreground(shell.command));
  said.json["enforcement"] = shell.enforcement;
  said.json["exit"] = said.exit;
  return said;
}

}  // namespace pf
