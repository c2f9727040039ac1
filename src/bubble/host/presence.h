#pragma once
#include "bubble/host/loop.h"
#include "channel/hook_event.h"

namespace pf {

// The last thing an agent's program told of itself: a sign of life, not a fact of the journal. Kept
// in runtime/<id>.<agent>.presence.
struct Presence {
  std::string event;         // as the program calls it
  std::string text;          // the tool it uses
  std::string conversation;  // its id
  std::string at;            // wall time
  Moment moment;
  PF_FIELDS(v.always("event", self.event), v("text", self.text),
            v("conversation", self.conversation), v.always("at", self.at),
            v.always("boot", self.moment.boot), v.always("mono_ms", self.moment.mono_ms));
};

Status write_presence(Os& os, const BubblePaths& paths, const AgentName& agent,
                      const HookEvent& event);
// Nothing when there is none or it cannot be read.
std::optional<Presence> read_presence(Os& os, const BubblePaths& paths, const AgentName& agent);

// Where an agent is, and how that is known.
struct Whereabouts {
  std::string what;        // "using Bash"
  std::string how;         // hook, process or screen
  std::string until = {};  // wall time
};
// Pure. `alive`: its process runs.
Whereabouts whereabouts(const bubble::Agent& agent, bool alive,
                        const std::optional<Presence>& presence);

}  // namespace pf
