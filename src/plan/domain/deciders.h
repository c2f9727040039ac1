#pragma once
// What the parts of decide.cc share; nothing outside the deciders includes this.
#include "base/deciding.h"
#include "plan/domain/decide.h"
#include "plan/domain/reading.h"

namespace pf::plan {

using Outcome = Decision<Event>;
using Asking = pf::Asking<State, Event, Reading>;

inline constexpr std::size_t kMaxText = std::size_t{128} << 10;

inline Outcome nothing() { return std::vector<Event>{}; }

// The standing now, to be changed in the parts that change.
Standing standing(const State& state);
// No run goes on until the user has had a word; `role` does afterwards.
Standing halted(const State& state, HaltKind kind, Role role, std::string text);
// The user is told so.
Event parked_event(const Asking& asking, HaltKind kind, Role role, std::string text);
// A run in a new conversation, or in `conversation`.
RunWanted new_run(const State& state, Role role, const std::string& step, Why why,
                  std::string conversation = {});
// The conversation of the last run in this role on this step; "" when there is none.
std::string conversation_of(const State& state, Role role, const std::string& step);
// `run` is to be started and has the turn.
void hand_to(Event& event, RunWanted run);
// The steps as they stand after the event.
std::vector<StepState> steps_after(const State& state, const Event& event);
// The step with another status, or a new count.
StepState changed(const State& state, const std::string& step, StepStatus status, int count);
// What plan.md is to say after the event.
void write_down(const Asking& asking, Event& event, bool names);
// The active step while it is not done, else the next one that is not; null when all are.
const StepState* pending_step(const State& state);
// The coder begins on `step`, with a fresh count.
void begin_step(const State& state, Event& event, const std::string& step, Why why);

// The edit of plan.md that a command found.
Event edit_event(const Asking& asking, std::string_view verb);

// What each command comes to.
Outcome handle(const Asking& asking, const Open& c);
Outcome handle(const Asking& asking, const RequestReview& c);
Outcome handle(const Asking& asking, const RequestChanges& c);
Outcome handle(const Asking& asking, const Approve& c);
Outcome handle(const Asking& asking, const AskUser& c);
Outcome handle(const Asking& asking, const Reply& c);
Outcome handle(const Asking& asking, const Force& c);
Outcome handle(const Asking& asking, const ResetGuard& c);
Outcome handle(const Asking& asking, const Pause& c);
Outcome handle(const Asking& asking, const Resume& c);
Outcome handle(const Asking& asking, const Reset& c);
Outcome handle(const Asking& asking, const RemoveNote& c);
Outcome handle(const Asking& asking, const Release& c);
Outcome handle(const Asking& asking, const Land& c);
Outcome handle(const Asking& asking, const Merge& c);
Outcome handle(const Asking& asking, const ReportLanded& c);
Outcome handle(const Asking& asking, const AbandonLanding& c);
Outcome handle(const Asking& asking, const ReportMerged& c);
Outcome handle(const Asking& asking, const AbandonMerge& c);
Outcome handle(const Asking& asking, const CheckDocuments& c);
Outcome handle(const Asking& asking, const CheckBudget& c);
Outcome handle(const Asking& asking, const ReportWritten& c);
Outcome handle(const Asking& asking, const ReportRunStarted& c);
Outcome handle(const Asking& asking, const ReportRunParked& c);
Outcome handle(const Asking& asking, const ReportRunEnded& c);
Outcome handle(const Asking& asking, const ReportTool& c);
Outcome handle(const Asking& asking, const ReportError& c);

}  // namespace pf::plan
