#include "bubble/host/supervision.h"
#include "bubble/verbs/verbs.h"

namespace pf {
Result<Said> run_supervise(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  auto done = supervise(loop);
  // The starter waits for a word of ours whatever happens.
  if (!done) caller.os.processes.tell_ready(done.error().what + ": " + done.error().why);
  TRY(std::move(done));
  return Said{};
}

Result<Said> run_checks_now(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  TRY(require_supervisor(caller, loop.paths().lease));
  TRY(run_evidence(loop));
  return Said{};
}

}  // namespace pf
