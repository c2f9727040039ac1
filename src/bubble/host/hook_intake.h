#pragma once
#include "bubble/host/loop.h"
#include "channel/hook_event.h"

namespace pf {

// What follows from the use of a tool: its agent is there, and free again if it was held up.
Status take_tool_use(BubbleLoop& loop, const bubble::State& state, const AgentName& agent,
                     const HookEvent& event);
// What follows from what an agent's program told: its presence is noted, and the journal gets what
// the bubble has to know. Returns what the program is to read: "", or how it is sent back.
Result<std::string> take_hook_event(BubbleLoop& loop, const bubble::State& state,
                                    const Request& request, const HookEvent& event);

}  // namespace pf
