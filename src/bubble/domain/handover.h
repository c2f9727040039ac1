#pragma once
#include "bubble/domain/event.h"
#include "bubble/domain/state.h"

// Who has the turn next. Pure; used by the deciders only.
namespace pf::bubble {

// The standing now, to be changed in the parts that change.
Standing standing(const State& state);
// RUNNING with the agent of `role` active.
Standing on_turn(const State& state, Role role);
// A new round for the implementer, with a fresh allowance of rounds (rework, replan).
Standing new_allowance(const State& state);
// Findings go back: roles stay, the implementer's turn, next round.
Standing back_to_implementer(const State& state);
// The same tree goes to the other model as reviewer: roles swap, next round.
Standing on_to_other_reviewer(const State& state);
// No agent active: READY, APPROVED, …
Standing without_agent(const State& state, Phase phase);
// WAITING_HUMAN, the active agent kept.
Standing parked(const State& state);

// `agent` when it needs a new process before it works in `role`: a fresh reviewer, another role
// than it was started in, or its process has ended.
std::vector<AgentName> relaunch_for(const State& state, const AgentName& agent, Role role);
// An event with `then`, that tells and relaunches whoever is on turn then.
Event handed(const State& state, Event event, Standing then);

// Whether an agent has a clean verdict on the tree under review.
// Starts dead agents again, each in its conversation unless its role is another now.
void revive(const State& state, Event& event, std::vector<AgentName> dead);

bool has_clean_verdict(const State& state, const AgentName& agent);

}  // namespace pf::bubble
