#pragma once
#include "verbs/core/verb.h"

namespace pf::mcp {

// `pairflow mcp`: serves the agents' verbs on standard input and output, one message a line, one
// after the other, until the input ends.
Verbs serve_verbs();

}  // namespace pf::mcp
