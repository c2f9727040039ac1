#include "bubble/domain/handover.h"

#include <algorithm>

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
  Standing then = on_turn(state, Role::implementer);
  then.limit = state.round + state.policy.max_rounds;
  then.round = state.round + 1;
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

bool begins_afresh(const State& state, const Agent& agent, Role role) {
  return (role == Role::reviewer && state.policy.fresh_reviewer) || agent.launch_role != role;
}

}  // namespace

std::vector<AgentName> relaunch_for(const State& state, const AgentName& agent, Role role) {
  const Agent* known = state.agent(agent);
  if (known == nullptr) return {};
  if (begins_afresh(state, *known, role) || known->exited) return {agent};
  return {};
}

Event handed(const State& state, Event event, Standing then) {
  if (then.active_agent && then.active_role) {
    event.tell = {*then.active_agent};
    const bool same_turn =
        state.active_agent == then.active_agent && state.active_role == then.active_role;
    const Agent* known = state.agent(*then.active_agent);
    if (!same_turn) {
      event.relaunch = relaunch_for(state, *then.active_agent, *then.active_role);
      if (known != nullptr && begins_afresh(state, *known, *then.active_role))
        event.afresh = event.relaunch;
    } else if (known != nullptr && known->exited) {
      event.relaunch = {*then.active_agent};
    }
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
