#include "bubble/domain/deciders.h"

namespace pf::bubble {

// Row 1.
Outcome handle(const Asking& asking, const Create& create) {
  if (asking.state.phase != Phase::none)
    return refuse("a bubble with this id exists", fmt::format("it is {}", asking.state.phase),
                  "choose another --id");
  Created created{create.policy, create.place, create.task, create.config, create.continues};
  Event event = make_event(asking, "orchestrator", std::move(created));
  event.ledger = create.findings;
  if (create.continues && !create.continues->conflicts.empty())
    event.ledger = merged(event.ledger, conflict_findings(event.ledger, create.place.base_branch,
                                                          create.continues->conflicts, 1));
  event.then = Standing{Phase::created, 0, create.policy.max_rounds, create.policy.roles, {}, {}};
  return std::vector{std::move(event)};
}

// bubble.toml as the human edited it; who the agents are is settled by the start.
Outcome handle(const Asking& asking, const AdoptConfig& adopt) {
  const State& state = asking.state;
  if (is_final(state.phase) || adopt.config == state.config) return nothing();
  if (state.phase != Phase::created && adopt.policy.roles != state.policy.roles)
    return refuse("bubble.toml names other agents than the bubble was started with",
                  fmt::format("it was started with {} and {}", state.policy.roles.implementer,
                              state.policy.roles.reviewer),
                  "put [agents] back, or create a new bubble");
  ConfigEdited edited{adopt.policy, state.config, adopt.config};
  edited.policy.profile = state.policy.profile;  // changed by a command of its own only
  edited.policy.base_first = state.policy.base_first;
  edited.policy.checks_at = state.policy.checks_at;
  edited.policy.final_cold = state.policy.final_cold;
  Event event = make_event(asking, "orchestrator", std::move(edited));
  if (state.phase == Phase::created) {
    Standing then = standing(state);
    then.roles = adopt.policy.roles;
    then.limit = adopt.policy.max_rounds;
    event.then = then;
  }
  return std::vector{std::move(event)};
}

// Row 2; a start that failed or was interrupted goes on.
Outcome handle(const Asking& asking, const Start&) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase != Phase::created && state.phase != Phase::preparing)
    return refuse("the bubble has been started", fmt::format("it is {}", state.phase),
                  fmt::format("pairflow bubble attach --id {}; a lost session comes back with: "
                              "pairflow bubble resume --id {}",
                              state.id, state.id));
  Event event = make_event(asking, "orchestrator", Preparing{});
  event.then = without_agent(state, Phase::preparing);
  return std::vector{std::move(event)};
}

// Row 3.
Outcome handle(const Asking& asking, const ReportPrepared& prepared) {
  const State& state = asking.state;
  if (state.phase != Phase::preparing) return nothing();
  Tasked tasked;
  tasked.task = state.task;
  tasked.rules = prepared.rules;
  Standing then = on_turn(state, Role::implementer);
  then.round = 1;
  then.limit = state.policy.max_rounds;
  Event task = own_event(asking, *then.active_agent, std::move(tasked));
  task.round = 1;
  task.tell = {*then.active_agent};
  task.relaunch = {state.roles.implementer, state.roles.reviewer};
  task.then = then;
  std::vector<Event> events{std::move(task)};
  if (!state.policy.profile.not_available.empty()) {
    Event evidence = own_event(asking, "both",
                               Evidence{state.place.base_tree, EvidenceStatus::not_available,
                                        state.policy.profile.not_available});
    evidence.round = 1;
    events.push_back(std::move(evidence));
  }
  return events;
}

// Row 4.
Outcome handle(const Asking& asking, const ReportSetupFailed& failed) {
  if (asking.state.phase != Phase::preparing) return nothing();
  return std::vector{own_event(asking, "human", SetupFailed{failed.what})};
}

// Rows 5 and 41. What is committed has not failed.
Outcome handle(const Asking& asking, const ReportFailed& failed) {
  const Phase phase = asking.state.phase;
  if (is_final(phase) || phase == Phase::committed) return nothing();
  Event event = own_event(asking, "human", Failed{failed.reason});
  event.then = without_agent(asking.state, Phase::failed);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const ReportClosed& closed) {
  if (!is_final(asking.state.phase) || asking.state.closed) return nothing();
  return std::vector{own_event(asking, "human", Closed{closed})};
}

}  // namespace pf::bubble
