#pragma once
#include "channel/message.h"
#include "verbs/core/verb.h"

namespace pf {

// The whole command table.
Table verbs();
// Commands that only our own processes start.
Verbs internal_verbs();

// One command of any front end, from its values to what it prints: checks them, refuses an agent
// what is the human's, reads the files they name (unless they are literal), then runs the verb here
// or, inside a sandbox, has the supervisor run it.
Answered dispatch(Caller& caller, const Verb& verb, Args args);

VerbFunction run_inbox, run_verify, run_bubble_verify, run_doctor, run_demo, run_help_loops;
VerbFunction run_quarantine_show, run_quarantine_restore, run_quarantine_forget;

// Reads the event from standard input.
Status read_hook_event(Caller& caller, Args& args);
VerbFunction run_hook;

// The other end of an agent's channel: reads one command of the agent from standard input, runs it
// and prints the answer. Only agents' commands are run; who asks is in the environment that the
// supervisor set.
VerbFunction run_relay;

}  // namespace pf
