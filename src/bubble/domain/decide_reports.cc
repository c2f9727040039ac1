#include "bubble/domain/deciders.h"
#include "bubble/domain/watchdog.h"

namespace pf::bubble {
namespace {

constexpr std::size_t kShownSight = 600;

// A program that ends by itself, with an error and before it took any prompt, could not go on with
// its conversation.
bool refused(const Agent& agent, const ReportExit& e) {
  constexpr int kNotFound = 127;  // and above: by a signal
  return agent.confirms && agent.taken == Seq::none && e.code > 0 && e.code < kNotFound;
}

}  // namespace

// The second half of row 8.
Outcome handle(const Asking& asking, const CheckTree&) {
  const State& state = asking.state;
  if (state.phase != Phase::running || state.active_role != Role::reviewer || !state.target ||
      state.sync || state.reviews_apart() || state.reviewer_is_due())
    return nothing();
  if (lacks_tree(asking.facts, false)) return need(Need::tree);
  const TreeId& tree = asking.facts.tree->tree;
  const bool restored = tree == *state.target;
  if (restored && state.tree_suspect == Seq::none) return nothing();
  // A turn of its own: a review of what was there before does not count for what is there now.
  Event moved =
      handed(state, own_event(asking, *state.active_agent, TreeMoved{*state.target, tree}),
             standing(state));
  if (restored) return std::vector{std::move(moved)};
  moved.ledger = evidence_of_new_target(state, state.findings, tree);
  moved.clears = true;
  if (state.tree_moves == 0) return std::vector{std::move(moved)};
  return std::vector{
      std::move(moved),
      parking_question(
          asking, {QuestionKind::void_,
                   "The tree under review was edited a second time in this round. Who edits it? "
                   "Reply when it is quiet."})};
}

// Rows 18 and 45.
Outcome handle(const Asking& asking, const CheckIdle&) {
  const State& state = asking.state;
  if (!is_watched(state)) return nothing();
  if (asking.is_stale()) return nothing();  // the silence was another turn's
  if (!asking.facts.idle) return need(Need::idle);
  const IdleFact& idle = *asking.facts.idle;
  const auto patience = std::chrono::minutes(state.policy.watchdog_minutes);
  const bool silent = idle.idle >= patience;
  if (!silent && idle.turn < kLongestTurn * patience) return nothing();
  if (is_held_up(state, idle.wall)) return nothing();
  const std::string what =
      silent ? fmt::format("has shown no sign of life for {}", human_duration(idle.idle))
             : fmt::format("has not handed over for {}", human_duration(idle.turn));
  return std::vector{parking_question(
      asking,
      {QuestionKind::watchdog,
       fmt::format("{} ({}) {}.{} Look at its pane, then reply or resume.", *state.active_agent,
                   *state.active_role, what,
                   idle.seen.empty() ? "" : " " + clip(printable(idle.seen), kShownSight))})};
}

// Row 19.
Outcome handle(const Asking& asking, const ReportExit& e) {
  const State& state = asking.state;
  const Agent* agent = state.agent(e.agent);
  if (agent == nullptr || agent->exited || is_final(state.phase)) return nothing();
  if (agent->launched != agent->wanted) return nothing();  // it is replaced anyway
  if (state.phase != Phase::running || state.active_agent != e.agent)
    return std::vector{
        own_event(asking, "human", AgentExited{e.agent, e.what, refused(*agent, e)})};
  return std::vector{parking_question(
      asking,
      {QuestionKind::agent_dead,
       fmt::format("{} ended while it was its turn ({}). Reply or resume to start it again.",
                   e.agent, e.what),
       {},
       e.agent,
       refused(*agent, e)})};
}

Outcome handle(const Asking& asking, const ReportLaunch& e) {
  const State& state = asking.state;
  const Agent* agent = state.agent(e.agent);
  if (agent == nullptr || is_final(state.phase)) return nothing();
  if (agent->wanted != e.cause) return nothing();  // another one is wanted by now
  if (agent->launched == e.cause && !agent->exited) return nothing();
  return std::vector{own_event(asking, "human", Launched{e})};
}

}  // namespace pf::bubble
