#include <algorithm>

#include "bubble/domain/deciders.h"

namespace pf::bubble {

Standing standing(const State& state) {
  return {state.phase, state.round,        state.limit,
          state.roles, state.active_agent, state.active_role};
}

Standing on_turn(const State& state, Role role) {
  Standing then = standing(state);
  then.phase = Phase::running;
  then.active_role = role;
  then.active_agent = then.roles.of(role);
  return then;
}

Standing new_allowance(const State& state) {
  Standing then = back_to_implementer(state);
  then.limit = state.round + state.policy.max_rounds;
  return then;
}

Standing back_to_implementer(const State& state) {
  Standing then = on_turn(state, Role::implementer);
  then.round = state.round + 1;
  return then;
}

Standing on_to_other_reviewer(const State& state) {
  Standing then = standing(state);
  then.phase = Phase::running;
  then.roles = state.roles.swapped();
  then.active_role = Role::reviewer;
  then.active_agent = then.roles.reviewer;
  then.round = state.round + 1;
  return then;
}

Standing without_agent(const State& state, Phase phase) {
  Standing then = standing(state);
  then.phase = phase;
  then.active_agent.reset();
  then.active_role.reset();
  return then;
}

Standing parked(const State& state) {
  Standing then = standing(state);
  then.phase = Phase::waiting;
  return then;
}

namespace {

// As a fresh reviewer, or in another role than it was started in.
bool begins_afresh(const State& state, const Agent& agent, Role role) {
  return (role == Role::reviewer && state.policy.fresh_reviewer) || agent.launch_role != role;
}

}  // namespace

Event handed(const State& state, Event event, Standing then) {
  if (then.active_agent && then.active_role) {
    event.tell = {*then.active_agent};
    const bool same_turn =
        state.active_agent == then.active_agent && state.active_role == then.active_role;
    const Agent* known = state.agent(*then.active_agent);
    const bool afresh =
        known != nullptr && !same_turn && begins_afresh(state, *known, *then.active_role);
    if (afresh) event.afresh = event.tell;
    if (afresh || (known != nullptr && known->exited)) event.relaunch = event.tell;
  }
  event.then = std::move(then);
  return event;
}

void revive(const State& state, Event& event, std::vector<AgentName> dead) {
  for (const AgentName& name : dead)
    if (const Agent* agent = state.agent(name);
        agent != nullptr && agent->launch_role != state.role_of(name))
      event.afresh.push_back(name);
  event.relaunch = std::move(dead);
}

bool has_clean_verdict(const State& state, const AgentName& agent) {
  return state.target && std::ranges::any_of(state.clean, [&](const CleanVerdict& verdict) {
           return verdict.agent == agent && verdict.tree == *state.target;
         });
}

}  // namespace pf::bubble
