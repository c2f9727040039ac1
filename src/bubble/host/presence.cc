#include "bubble/host/presence.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"

namespace pf {
namespace {

std::string held_up_by(const bubble::Hindrance& hindrance) {
  switch (hindrance.obstacle) {
    case bubble::Obstacle::dialog: return "asks something in its pane";
    case bubble::Obstacle::limit: return "usage limit reached";
    case bubble::Obstacle::overload: return "no answer from its model";
  }
  return "";
}

std::string in_words(const Presence& presence) {
  if (presence.event == "PreToolUse") return "using " + printable(presence.text);
  if (presence.event == "Stop") return "waiting at its prompt";
  if (presence.event == "StopFailure") return "its model failed";
  if (presence.event == "SessionStart") return "started";
  if (presence.event == "SessionEnd") return "has ended its session";
  return "thinking";
}

}  // namespace

Status write_presence(Os& os, const BubblePaths& paths, const AgentName& agent,
                      const HookEvent& event) {
  const bool tool = event.kind == HookEvent::Kind::tool;
  const Presence now{event.name, tool ? clip(event.text, 60) : "", event.conversation,
                     iso8601(os.clock.wall()), os.clock.moment()};
  return os.files.replace(paths.presence(agent), dump(codec::encode(now)) + "\n", Durable::no);
}

std::optional<Presence> read_presence(Os& os, const BubblePaths& paths, const AgentName& agent) {
  const auto text = os.files.read_if_there(paths.presence(agent));
  if (!text || !*text) return std::nullopt;
  const auto json = parse_json(**text);
  Presence presence;
  if (!json || !codec::decode(*json, presence)) return std::nullopt;
  return presence;
}

Whereabouts whereabouts(const bubble::Agent& agent, bool alive,
                        const std::optional<Presence>& presence) {
  if (!alive) return {"not running", "process"};
  if (agent.hindrance)
    return {held_up_by(*agent.hindrance),
            agent.hindrance->how.empty() ? "screen" : agent.hindrance->how, agent.hindrance->until};
  const bool current =
      presence && (agent.conversation.empty() || presence->conversation == agent.conversation);
  if (current) return {in_words(*presence), "hook"};
  return {"running", "process"};
}

}  // namespace pf
