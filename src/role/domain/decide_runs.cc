#include "role/domain/deciders.h"
#include "role/domain/effort.h"
#include "role/domain/outstanding.h"

namespace pf::role {
namespace {

Event rest_event(const Asking& asking, std::string why) {
  return own_event(asking, "human", AutomationEnded{std::move(why)});
}

}  // namespace

Outcome handle(const Asking& asking, const Automate& c) {
  const State& state = asking.state;
  if (c.run_id.empty() || c.run_id.size() > 200 || printable(c.run_id) != c.run_id)
    return usage("the run needs an id", "give it one line of text");
  const bool mine = state.taken && state.taken->by == asking.request.who.party();
  if (state.automation == c.run_id && !mine) return nothing();
  Event event = make_event(asking, "both", AutomationBegun{c.run_id});
  if (mine)
    event.then = Standing{std::nullopt, state.asked_by};  // the one that lets them run gives it
  if (!spent_text(state).empty()) count_anew(event);      // the human lets them go on
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const StopAutomation& c) {
  if (asking.state.automation.empty()) return nothing();
  return std::vector{make_event(asking, "both", AutomationEnded{clip(printable(c.why), 400)})};
}

Outcome handle(const Asking& asking, const Release&) {
  const State& state = asking.state;
  if (!state.automation.empty() || state.run)
    return refuse("the agents are at work in the checkout", "",
                  "pairflow role pause, then: pairflow role release");
  if (!holds_checkout(state)) return nothing();
  return std::vector{make_event(asking, "both", Released{})};
}

// A refusal means that the process is not wanted (any more) and is to be ended.
Outcome handle(const Asking& asking, const ReportRunStarted& e) {
  const State& state = asking.state;
  if (state.run && state.run->number == e.run) return nothing();
  if (state.run || e.run != state.last_run + 1 || !wants_agent(state) ||
      e.role != state.reg.current_role)
    return refuse(fmt::format("run {} is not wanted", e.run));
  Event event = own_event(asking, "both", RunStarted{e});
  event.clean = e.role == Role::planner && !state.work;  // else it would not have been launched
  event.effort = state.effort;
  ++event.effort->runs;
  return std::vector{std::move(event)};
}

// Without a switch it is sent back once; then, or when it failed, the agents rest.
Outcome handle(const Asking& asking, const ReportRunEnded& e) {
  const State& state = asking.state;
  if (!state.run || state.run->number != e.run) return nothing();
  const Run& run = *state.run;
  const Ending ending = run.switched  ? Ending::switched
                        : e.lost      ? Ending::lost
                        : e.exit != 0 ? Ending::failed
                                      : Ending::silent;
  std::vector<Event> events{
      own_event(asking, "both", RunEnded{e.run, run.role, ending, e.exit, clip(e.what, 2000)})};
  if (ending == Ending::lost && state.effort.runs > 0) {  // our own doing, not the agent's
    events.front().effort = state.effort;
    --events.front().effort->runs;
  }
  if (state.automation.empty()) return events;
  if (ending == Ending::failed)
    events.push_back(
        rest_event(asking, fmt::format("{}'s run failed with exit code {}{}", run.role, e.exit,
                                       e.what.empty() ? "" : ": " + clip(printable(e.what), 300))));
  if (ending == Ending::silent && state.sent_back)
    events.push_back(
        rest_event(asking, fmt::format("{} ended twice without handing over", run.role)));
  return events;
}

Outcome handle(const Asking& asking, const ReportDelegated& e) {
  const State& state = asking.state;
  if (state.child || !wants_child(state)) return refuse("nothing is to be delegated now");
  Event event = own_event(asking, "both", Delegated{state.policy.coder_by, e.child});
  event.effort = state.effort;
  ++event.effort->runs;
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const ReportChildEnded& e) {
  const State& state = asking.state;
  if (!state.child || state.child->id != e.child) return nothing();
  const std::string name = fmt::format("The {} {}", state.child->by, printable(e.child));
  Event event = own_event(asking, "both", ChildEnded{e.child, e.finished, clip(e.what, 2000)});
  if (state.reg.current_role != Role::coder) return std::vector{std::move(event)};
  if (e.finished) {
    switch_to(asking, event, Role::reviewer, Lifecycle::handoff,
              note_of({fmt::format("{} has finished {}", name,
                                   state.work ? state.work->task : "the coder's part"),
                       e.what}),
              name_of(Role::coder));
  } else {
    switch_to(asking, event, Role::planner, Lifecycle::blocked,
              note_of({fmt::format("{} stopped before it was done", name), e.what,
                       "How is it to go on?"}),
              name_of(Role::coder));
    event.then->asked_by = Role::coder;
    event.then->for_human = true;
  }
  return std::vector{std::move(event)};
}

}  // namespace pf::role
