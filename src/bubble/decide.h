#pragma once
#include "base/request.h"
#include "bubble/command.h"
#include "bubble/state.h"

namespace pf::bubble {

// All policy of the bubble: BUBBLE's transition table (docs/protocol.md). Pure. Names the facts it
// needs before it decides; a refusal says why and what to do instead.
Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts);

}  // namespace pf::bubble
