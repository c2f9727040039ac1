#include "bubble/domain/outstanding.h"

#include <fmt/format.h>

#include <algorithm>

namespace pf::bubble {

PF_COMPILED_HERE(Effect);

namespace {

const PaneView* pane_of(const Observed& observed, const AgentName& agent) {
  return find_in(observed.panes, agent, &PaneView::agent);
}

constexpr int kNotFound = 127;  // by the shell's convention

std::string how_it_ended(const Observed& observed, const PaneView* pane) {
  if (!observed.session) return "its tmux session is gone";
  if (pane == nullptr) return "its pane is gone";
  if (pane->exit_code < 0) return "its process has ended";  // seen before tmux knows how
  return fmt::format("exit code {}{}", pane->exit_code,
                     pane->exit_code == kNotFound ? ": its program was not found" : "");
}

void for_process(const State& state, const Agent& agent, const Observed& observed,
                 std::vector<Effect>& effects) {
  const PaneView* pane = pane_of(observed, agent.name);
  const bool alive = pane != nullptr && pane->alive();
  if (agent.launched != agent.wanted) {
    // Also one that has ended by now: its end is reported next, it is not started for ever.
    if (pane != nullptr && pane->launch == agent.wanted)
      effects.push_back(
          RecordLaunch{agent.name, agent.launch_role, agent.wanted, pane->pane, pane->key});
    else
      effects.push_back(LaunchAgent{agent.name, agent.launch_role, agent.wanted});
  } else if (!alive && !agent.exited && has_session(state.phase)) {
    effects.push_back(RecordExit{agent.name, how_it_ended(observed, pane),
                                 pane == nullptr ? -1 : pane->exit_code});
  }
}

void for_messages(const Agent& agent, const Observed& observed, std::vector<Effect>& effects) {
  const PaneView* pane = pane_of(observed, agent.name);
  if (pane == nullptr || !pane->alive() || agent.launched != agent.wanted) return;
  if (agent.hindrance) return;  // nothing would be taken, or the wrong thing would take it
  for (const Delivery& delivery : agent.deliveries)
    if (delivery.cause > pane->submitted) {
      effects.push_back(Deliver{agent.name, delivery, pane->submitted == Seq::none});
      return;  // in order: the next one after this one has arrived
    } else if (agent.confirms && delivery.cause > agent.taken) {
      effects.push_back(AwaitPrompt{agent.name, delivery});
      return;
    }
}

void for_agents(const State& state, const Observed& observed, std::vector<Effect>& effects) {
  const auto due = [](const Agent& agent) { return agent.launched != agent.wanted; };
  if (!observed.session && std::ranges::any_of(state.agents, due))
    effects.push_back(EnsureSession{});
  for (const Agent& agent : state.agents) for_process(state, agent, observed, effects);
  for (const Agent& agent : state.agents) for_messages(agent, observed, effects);
}

}  // namespace

std::vector<Effect> outstanding(const State& state, const Observed& observed) {
  std::vector<Effect> effects;
  if (state.phase == Phase::preparing && state.trouble.empty())
    effects.push_back(PrepareWorkspace{});
  if (has_session(state.phase) && state.sync) effects.push_back(BringBase{*state.sync});
  if (has_session(state.phase)) for_agents(state, observed, effects);
  const bool in_place = state.phase == Phase::running && state.active_role == Role::reviewer &&
                        !state.reviews_apart() && !state.reviewer_is_due();
  if (in_place && state.tree_suspect != Seq::none)
    effects.push_back(LookAtTree{state.tree_suspect});
  if (auto run = due_run(state))
    effects.push_back(RunChecks{std::move(*run), profile_hash(state.policy.profile)});
  if (state.phase == Phase::approved && state.commit) effects.push_back(MoveBranch{*state.commit});
  if (state.phase == Phase::committed) effects.push_back(FinishCommit{});
  if (state.phase == Phase::done && state.merge) effects.push_back(MergeBase{*state.merge});
  if (is_final(state.phase) && !state.closed) effects.push_back(CloseDown{});
  return effects;
}

}  // namespace pf::bubble
