#pragma once
#include "cli/parse.h"

namespace pf {

// Inside a sandbox: an agent's command is run by the supervisor outside. Prints what it printed.
int forward(Os& os, const Parsed& command);
// Whether this command has to go that way.
bool is_forwarded(Os& os, const Verb& verb);

// Outside: reads one command of the agent from standard input, runs it and prints the answer. Only
// agents' commands are run; who asks is in the environment that the supervisor set.
Result<Said> run_relay(Caller& caller, const Args& args);

}  // namespace pf
