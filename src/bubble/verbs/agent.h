#pragma once
#include "bubble/verbs/caller.h"

namespace pf {

// --package becomes the text of the file it names. Refuses one in the worktree: it would become
// part of the change.
Status read_package(Caller& caller, Args& args);
Result<Said> run_pass(Caller& caller, const Args& args);
Result<Said> run_ask_human(Caller& caller, const Args& args);
Result<Said> run_converged(Caller& caller, const Args& args);
Result<Said> run_turn(Caller& caller, const Args& args);

}  // namespace pf
