#pragma once
#include "channel/message.h"
#include "verbs/core/verb.h"

namespace pf {

// One command of any front end, from its values to what it prints: checks them, refuses an agent
// what is the human's, reads the files they name (unless they are literal), then runs the verb here
// or, inside a sandbox, has the supervisor run it.
Answered dispatch(Caller& caller, const Verb& verb, Args args);

}  // namespace pf
