#include "bubble/host/presence.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

Presence told(std::string event, std::string text = "", std::string conversation = "c") {
  return {std::move(event), std::move(text), std::move(conversation), "2026-11-15T12:00:00Z", {}};
}

}  // namespace

TEST_CASE("where an agent is, by the surest that is known") {
  bubble::Agent agent;
  agent.conversation = "c";
  CHECK(whereabouts(agent, false, told("Stop")).what == "not running");
  CHECK(whereabouts(agent, true, std::nullopt).how == "process");
  CHECK(whereabouts(agent, true, told("PreToolUse", "Bash\x1b")).what == "using Bash<U+001B>");
  CHECK(whereabouts(agent, true, told("PostToolUse", "Bash")).what == "thinking");
  CHECK(whereabouts(agent, true, told("Stop")).what == "waiting at its prompt");
  CHECK(whereabouts(agent, true, told("Stop")).how == "hook");
  CHECK(whereabouts(agent, true, told("Stop", "", "another")).how == "process");

  agent.hindrance = bubble::Hindrance{
      bubble::Obstacle::limit, "x", "2026-11-15T15:00:00Z", "hook", "", Seq::none};
  const Whereabouts held = whereabouts(agent, true, told("Stop"));
  CHECK(held.what == "usage limit reached");
  CHECK(held.how == "hook");
  CHECK(held.until == "2026-11-15T15:00:00Z");
}

}  // namespace pf
