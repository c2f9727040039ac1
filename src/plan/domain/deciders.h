#pragma once
// What the parts of decide.cc share; nothing outside the deciders includes this.
#include "plan/domain/decide.h"
#include "plan/domain/reading.h"

namespace pf::plan {

using Outcome = Decision<Event>;

struct Asking {
  const State& state;
  const Request& request;
  const Facts& facts;
  const Reading* reading = nullptr;  // for commands that look at the documents
};

inline constexpr std::size_t kMaxText = std::size_t{128} << 10;

inline Outcome refuse(std::string what, std::string why = {}, std::string fix = {}) {
  return Rejection{{Exit::refused, std::move(what), std::move(why), std::move(fix)}};
}
inline Rejection usage(std::string what, std::string fix) {
  return Rejection{{Exit::usage, std::move(what), "", std::move(fix)}};
}
// A refused tool call: one PROTOCOL_WARNING for each run, verb and reason in a turn.
inline Rejection warning(std::string reason, std::string what, std::string why = {},
                         std::string fix = {}) {
  return Rejection{
      {Exit::refused, std::move(what), std::move(why), std::move(fix)}, std::move(reason), true};
}
inline Outcome need(Need what) { return std::vector<Need>{what}; }
inline Outcome nothing() { return std::vector<Event>{}; }

Event make_event(const Asking& asking, std::string recipient, Body body);
// An event of our own, in the name of the orchestrator.
Event own_event(const Asking& asking, std::string recipient, Body body);

// The standing now, to be changed in the parts that change.
Standing standing(const State& state);
// No run goes on until the user has had a word; `role` does afterwards.
Standing halted(const State& state, HaltKind kind, Role role, std::string text);
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

Outcome decide_open(const Asking& asking, const Open& open);
Outcome decide_tool(const Asking& asking, const RequestReview& tool);
Outcome decide_tool(const Asking& asking, const RequestChanges& tool);
Outcome decide_tool(const Asking& asking, const Approve& tool);
Outcome decide_tool(const Asking& asking, const AskUser& tool);

Outcome decide_user(const Asking& asking, const Reply& reply);
Outcome decide_user(const Asking& asking, const Force& force);
Outcome decide_user(const Asking& asking, const ResetGuard& reset);
Outcome decide_user(const Asking& asking, const Pause& pause);
Outcome decide_user(const Asking& asking, const Resume& resume);
Outcome decide_user(const Asking& asking, const Reset& reset);

// The orchestrator's own reports.
Outcome record(const Asking& asking, const CheckDocuments& e);
Outcome record(const Asking& asking, const CheckBudget& e);
Outcome record(const Asking& asking, const ReportWritten& e);
Outcome record(const Asking& asking, const ReportRunStarted& e);
Outcome record(const Asking& asking, const ReportRunParked& e);
Outcome record(const Asking& asking, const ReportRunEnded& e);
Outcome record(const Asking& asking, const ReportTool& e);
Outcome record(const Asking& asking, const ReportError& e);

}  // namespace pf::plan
