#pragma once
#include "agents/scripted/scenario.h"
#include "base/ids.h"

namespace pf {

struct PlayerContext {
  Path executable;   // this program, whose agent commands are used
  AgentName agent;   // who plays
  std::string role;  // for the title; "" when not known
};

// A scripted agent in its pane. Reads lines; one from pairflow makes it ask `turn --json`, and when
// the turn is its own and not yet played, it plays the scenario's entry with the real commands.
// Trouble is shown and the reading goes on. Returns the code to end with: the scenario's `exit`, or
// 0 at the end of the input.
int play(Os& os, const Scenario& scenario, const PlayerContext& context);

}  // namespace pf
