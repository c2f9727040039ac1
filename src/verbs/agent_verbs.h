#pragma once
#include "verbs/caller.h"

namespace pf {

Result<Said> run_pass(Caller& caller, const Args& args);
Result<Said> run_ask_human(Caller& caller, const Args& args);
Result<Said> run_converged(Caller& caller, const Args& args);
Result<Said> run_turn(Caller& caller, const Args& args);

}  // namespace pf
