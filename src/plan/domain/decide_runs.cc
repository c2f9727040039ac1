#include "plan/domain/deciders.h"

namespace pf::plan {
namespace {

Ending ending_of(const State& state, const Run& run, const ReportRunEnded& e) {
  const bool explains = run.role == Role::explainer && run.number == state.run;
  const bool turn =
      run.number == state.run && is_active(state.phase) && phase_of(run.role) == state.phase;
  if (e.lost && (explains || turn)) return Ending::lost;
  if (explains) return e.exit == 0 && e.explained ? Ending::explained : Ending::failed;
  if (turn) return e.exit == 0 ? Ending::silent : Ending::failed;
  if (run.number == state.run) return Ending::waiting;
  const bool handed = !run.tool.empty() && run.tool != AskUser::kTag.verb;
  return handed ? Ending::handed_over : Ending::stopped;
}

RunWanted again(const State& state, const Run& run, Why why, const std::string& conversation) {
  RunWanted next = new_run(state, run.role, run.step, why,
                           conversation.empty() ? run.conversation : conversation);
  next.sent_back = run.sent_back;
  return next;
}

Event error_event(const Asking& asking, std::string what, int run) {
  Event event = own_event(asking, "human", ErrorRaised{what, run});
  event.then = halted(asking.state, HaltKind::failed, asking.state.active_role(), std::move(what));
  return event;
}

// It ended without a tool call: told once, then the user is.
Event silence_event(const Asking& asking, const Run& run, const std::string& conversation) {
  const State& state = asking.state;
  if (run.sent_back) {
    std::string text = fmt::format(
        "The {} ended twice without a tool call on step {}. Reply to it, resume, or force the "
        "other one.",
        run.role, state.step);
    return parked_event(asking, HaltKind::silent, run.role, std::move(text));
  }
  Event event = own_event(asking, run.agent, SentBack{run.number, run.role});
  RunWanted next = again(state, run, Why::sent_back, conversation);
  next.sent_back = true;
  hand_to(event, std::move(next));
  return event;
}

}  // namespace

// A refusal means that the process is not wanted (any more) and is to be ended.
Outcome handle(const Asking& asking, const ReportRunStarted& e) {
  const State& state = asking.state;
  const Run* run = state.run_of(e.run);
  if (run == nullptr || (run->ending && !run->recorded))
    return refuse(fmt::format("run {} is not wanted any more", e.run));
  const Run* live = state.live();
  if (live != nullptr && live != run)
    return refuse(fmt::format("run {} has not ended yet", live->number));
  if (run->recorded) return nothing();
  return std::vector{
      own_event(asking, "both",
                RunStarted{e.run, run->role, run->agent, run->step,
                           e.conversation.empty() ? run->conversation : e.conversation,
                           e.transcript, e.program, e.enforcement})};
}

Outcome handle(const Asking& asking, const ReportRunParked& e) {
  const State& state = asking.state;
  const Run* run = state.run_of(e.run);
  const bool waits = run != nullptr && e.run == state.run && run->is_live() && !run->parked &&
                     state.halt && state.halt->kind == HaltKind::asked &&
                     state.halt->id == e.question;
  if (!waits) return nothing();
  return std::vector{own_event(asking, "human", RunParked{e.run, run->role})};
}

Outcome handle(const Asking& asking, const ReportRunEnded& e) {
  const State& state = asking.state;
  const Run* run = state.run_of(e.run);
  if (run == nullptr || !run->is_live()) return nothing();
  const Ending ending = ending_of(state, *run, e);
  Event ended = own_event(asking, "both",
                          RunEnded{e.run, run->role, ending, e.exit, clip(e.what, kMaxText),
                                   run->tool, e.conversation, e.input_tokens, e.output_tokens});
  if (ending == Ending::lost) {
    const RunWanted next = again(
        state, *run, run->role == Role::explainer ? Why::explain : Why::resumed, e.conversation);
    ended.start = next;
    ended.then = standing(state);
    ended.then->run = next.run;
  }
  std::vector<Event> events{std::move(ended)};
  if (ending == Ending::silent)
    events.push_back(silence_event(asking, *run, e.conversation));
  else if (ending == Ending::explained)
    events.push_back(own_event(asking, "human", Explained{e.run, std::string(kExplainedFile)}));
  if (ending != Ending::failed) return events;
  std::string what = fmt::format("the {}'s run ended with exit code {}{}", run->role, e.exit,
                                 e.what.empty() ? "" : ": " + clip(printable(e.what), 400));
  if (run->role == Role::explainer)
    events.push_back(
        own_event(asking, "human", ErrorRaised{"explained.md was not written: " + what, e.run}));
  else
    events.push_back(error_event(asking, std::move(what), e.run));
  return events;
}

Outcome handle(const Asking& asking, const ReportTool& e) {
  const Run* run = asking.state.run_of(e.run);
  if (run == nullptr) return nothing();
  constexpr std::size_t kShown = 2000;
  return std::vector{own_event(
      asking, "both", ToolNoted{e.run, run->role, e.tool, clip(e.what, kShown), e.blocked})};
}

Outcome handle(const Asking& asking, const ReportError& e) {
  const State& state = asking.state;
  if (e.run != 0 && e.run != state.run) return nothing();
  if (is_active(state.phase)) return std::vector{error_event(asking, e.what, e.run)};
  // Nobody was to go on but an explainer, who is given up.
  const Run* run = state.current();
  const bool explains = run != nullptr && run->role == Role::explainer && !run->ending;
  if (state.trouble == e.what && !explains) return nothing();
  Event event = own_event(asking, "human", ErrorRaised{e.what, e.run});
  if (explains && e.run != 0) {
    event.then = standing(state);
    event.then->run = 0;
  }
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const CheckBudget&) {
  const State& state = asking.state;
  if (state.policy.step_time_budget_minutes <= 0 || !is_active(state.phase)) return nothing();
  if (asking.is_stale()) return nothing();  // another turn's time
  if (!asking.facts.idle) return need(Need::idle);
  const auto budget = std::chrono::minutes(state.policy.step_time_budget_minutes);
  if (asking.facts.idle->turn < budget) return nothing();
  std::string text = fmt::format(
      "The agents have worked {} on step {} (the limit is {}). Reply or resume to give them "
      "as much again.",
      human_duration(asking.facts.idle->turn), state.step, human_duration(budget));
  return std::vector{parked_event(asking, HaltKind::budget, state.active_role(), std::move(text))};
}

}  // namespace pf::plan
