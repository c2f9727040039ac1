#pragma once
#include "verbs/core/verb.h"

namespace pf {

// The whole command table.
Table verbs();
// Commands that only our own processes start.
Table internal_verbs();

Result<Said> run_inbox(Caller& caller, const Args& args);
Result<Said> run_verify(Caller& caller, const Args& args);
Result<Said> run_bubble_verify(Caller& caller, const Args& args);
Result<Said> run_doctor(Caller& caller, const Args& args);
Result<Said> run_demo(Caller& caller, const Args& args);

// Reads the event from standard input.
Status read_hook_event(Caller& caller, Args& args);
Result<Said> run_hook(Caller& caller, const Args& args);

}  // namespace pf
