#include "plan/domain/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/domain/deciders.h"

namespace pf::plan {

PF_COMPILED_HERE(Command);

namespace {

template <class C>
constexpr bool is_tool = requires(const Asking& asking, const C& c) { decide_tool(asking, c); };
template <class C>
constexpr bool is_report = requires(const Asking& asking, const C& c) { record(asking, c); };

bool is_agents(const Command& command) {
  return std::visit([]<class C>(const C&) { return is_tool<C>; }, command);
}
bool is_orchestrators(const Command& command) {
  return std::visit([]<class C>(const C&) { return is_report<C>; }, command);
}

bool looks_at_documents(const Command& command) {
  return !(is_orchestrators(command) && !std::holds_alternative<CheckDocuments>(command)) &&
         !std::holds_alternative<AskUser>(command) && !std::holds_alternative<Pause>(command);
}

std::optional<Rejection> wrong_principal(const Request& request, const Command& command) {
  const PrincipalKind who = request.who.kind;
  if (is_agents(command)) {
    if (who == PrincipalKind::agent) return std::nullopt;
    return Rejection{{Exit::refused, "only an agent of the plan can do this",
                      "PAIRFLOW_AGENT does not name one",
                      "this is called by the agents that `pairflow plan run` starts"}};
  }
  if (is_orchestrators(command) && who != PrincipalKind::agent) return std::nullopt;
  if (who == PrincipalKind::human) return std::nullopt;
  return Rejection{{Exit::refused, "this decision is the user's",
                    fmt::format("it was asked for by {}", request.who.party()),
                    "ask for it with ask_user"}};
}

// A human verb that was prepared on another turn than the one it would act on.
std::optional<Rejection> stale_turn(const State& state, const Request& request) {
  if (request.who.kind != PrincipalKind::human || request.turn == Seq::none) return std::nullopt;
  if (request.turn == state.turn) return std::nullopt;
  return Rejection{{Exit::refused, "the plan has moved on since you looked",
                    fmt::format("it is {} on step {} now", name_of(state.phase), state.step),
                    fmt::format("look again: pairflow plan status {}", state.feature.str())}};
}

struct Dispatch {
  const Asking& asking;

  Outcome operator()(const Open& c) const { return decide_open(asking, c); }
  template <class C>
  Outcome operator()(const C& c) const {
    if constexpr (is_tool<C>)
      return decide_tool(asking, c);
    else if constexpr (is_report<C>)
      return record(asking, c);
    else
      return decide_user(asking, c);
  }
};

// The edit first, then what the command comes to after it.
Outcome decide_after_edit(const Asking& asking, const Command& command) {
  Event edit = edit_event(asking, verb_of(command));
  const auto& edited = std::get<RegisterEdited>(edit.body);
  const Run* run = asking.state.run_of(run_of(command));
  if (is_agents(command) && run != nullptr && edited.moved())
    return warning("step_moved",
                   fmt::format("plan.md names step {} as the active one", edited.active),
                   fmt::format("your run was about step {}", run->step),
                   "end your run here; a new one begins on that step");
  const State after = apply(asking.state, edit);
  const Asking then{after, asking.request, asking.facts, asking.reading};
  Outcome outcome = std::visit(Dispatch{then}, command);
  if (auto* events = std::get_if<std::vector<Event>>(&outcome))
    events->insert(events->begin(), std::move(edit));
  return outcome;
}

struct Fits {
  const Body& body;

  template <class... Bodies>
  bool is() const {
    return (std::holds_alternative<Bodies>(body) || ...);
  }
  bool operator()(const Open&) const { return is<Opened>(); }
  bool operator()(const RequestReview&) const { return is<ReviewRequested>(); }
  bool operator()(const RequestChanges&) const { return is<ChangesRequested>(); }
  bool operator()(const Approve&) const { return is<Approved>(); }
  bool operator()(const AskUser&) const { return is<UserAsked>(); }
  bool operator()(const Reply&) const { return is<UserReplied>(); }
  bool operator()(const Force&) const { return is<Forced>(); }
  bool operator()(const ResetGuard&) const { return is<GuardReset>(); }
  bool operator()(const Pause&) const { return is<Paused>(); }
  bool operator()(const Resume&) const { return is<Resumed>(); }
  bool operator()(const Reset&) const { return is<ResetDone>(); }
  template <class Report>
  bool operator()(const Report&) const {
    return true;
  }
};

// In the order of Command.
constexpr std::array<std::string_view, std::variant_size_v<Command::variant>> kVerbs = {
    "open",
    "request_review",
    "request_changes",
    "approve",
    "ask_user",
    "reply",
    "force",
    "reset-guard",
    "pause",
    "resume",
    "reset",
    "check_documents",
    "check_budget",
    "file_written",
    "file_run_started",
    "file_run_parked",
    "file_run_ended",
    "file_tool",
    "file_error",
};

}  // namespace

std::string_view verb_of(const Command& command) { return kVerbs[command.index()]; }

int run_of(const Command& command) {
  return std::visit(
      []<class C>(const C& c) {
        if constexpr (is_tool<C>)
          return c.run;
        else
          return 0;
      },
      command);
}

std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection) {
  const int run = run_of(command);
  const LastWarning now{run, std::string(verb_of(command)), rejection.reason};
  if (std::ranges::find(state.warnings, now) != state.warnings.end()) return std::nullopt;
  return Event{request.who.party(), request.who.party(), state.run,
               Warned{run, now.verb, now.reason, rejection.error.what, rejection.error.why}};
}

bool answers(const Event& first, const Request& request, const Command& command) {
  if (request.who.kind == PrincipalKind::orchestrator) return true;
  if (const auto* edited = std::get_if<RegisterEdited>(&first.body))
    return edited->verb == verb_of(command);
  return first.sender == request.who.party() && std::visit(Fits{first.body}, command);
}

Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts) {
  if (auto rejection = wrong_principal(request, command)) return *rejection;
  const bool opens = std::holds_alternative<Open>(command);
  if (state.phase == Phase::none && !opens)
    return refuse("there is no such plan", "", "begin it: pairflow plan run <feature>");
  if (auto rejection = stale_turn(state, request)) return *rejection;
  if (!looks_at_documents(command)) {
    const Asking asking{state, request, facts};
    return std::visit(Dispatch{asking}, command);
  }
  if (!facts.documents) return need(Need::documents);
  Reading reading = read_documents(*facts.documents);
  const auto* resume = std::get_if<Resume>(&command);
  const bool takes_edit = resume != nullptr && resume->takes_edit && writer_at_work(state) == 0;
  if (!opens && !takes_edit) distrust(state, reading);
  const Asking asking{state, request, facts, &reading};
  if (!opens && reading.sound() && is_edited(state, reading))
    return decide_after_edit(asking, command);
  return std::visit(Dispatch{asking}, command);
}

}  // namespace pf::plan
