#pragma once
#include "channel/message.h"
#include "verbs/core/verb.h"

// Both ends of an agent's channel.
namespace pf {

// Whether this command has to be run by the supervisor outside: an agent's, given inside a sandbox.
bool is_forwarded(Os& os, const Verb& verb);
// Inside: has it run there, and gives what it printed. When the connection breaks, the journal
// tells whether it was recorded.
Answered forward(Caller& caller, const Verb& verb, Args args);

// Outside: reads one command of the agent from standard input, runs it and prints the answer. Only
// agents' commands are run; who asks is in the environment that the supervisor set.
Result<Said> run_relay(Caller& caller, const Args& args);

}  // namespace pf
