#include "role/domain/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "role/domain/deciders.h"

namespace pf::role {

PF_COMPILED_HERE(Command);

namespace {

template <class C, class... Others>
constexpr bool is_any = (std::same_as<C, Others> || ...);
template <class C>
constexpr bool is_agents = is_any<C, Init, Start, Handoff, Block, ApproveTask, ApproveFeature>;
template <class C>
constexpr bool is_report = requires(const Asking& asking, const C& c) { record(asking, c); };
// Reports that change nothing in the register and so need none of the files.
template <class C>
constexpr bool looks_away = is_any<C, StopAutomation, ReportWritten, BeginPull, ReportSummary,
                                   ReportRunStarted, ReportRunEnded, ReportDelegated, Configure>;

template <class C>
std::optional<Rejection> wrong_principal(const Request& request) {
  const PrincipalKind who = request.who.kind;
  const bool is_ours = is_report<C> || is_any<C, StopAutomation, Configure>;
  if (who == PrincipalKind::human && !is_report<C>) return std::nullopt;
  if (who == PrincipalKind::agent && is_agents<C>) return std::nullopt;
  if (who == PrincipalKind::orchestrator && is_ours) return std::nullopt;
  return refusal("this decision is the human's",
                 fmt::format("it was asked for by {}", printable(request.who.party())),
                 "ask for it: pairflow role block --by PLANNER --message <questions>");
}

// A human verb that was prepared on another turn than the one it would act on.
std::optional<Rejection> stale_turn(const State& state, const Request& request) {
  if (request.turn == Seq::none || request.turn == state.turn ||
      request.who.kind == PrincipalKind::orchestrator)
    return std::nullopt;
  Rejection rejection = refusal(
      "the role has moved on since you looked",
      fmt::format(
          "it is {} {} now{}", name_of(state.reg.current_role), name_of(state.reg.state),
          state.taken ? fmt::format(", taken by {} at {}", state.taken->by, state.taken->at) : ""),
      "look again: pairflow role status");
  rejection.reason = "stale_turn";
  rejection.warn = request.who.kind == PrincipalKind::agent;
  return rejection;
}

Rejection unsound_register(const Reading& reading) {
  const auto words = in_words(kRegisterFile, reading.problems);
  Rejection rejection = warning("invalid_register", fmt::format("{} is not sound", kRegisterFile),
                                join(words, "\n    "), "mend it, then run this again");
  rejection.unmet = words;
  return rejection;
}

template <class C>
Outcome decide_one(const Asking& asking, const C& c) {
  if constexpr (is_report<C>)
    return record(asking, c);
  else
    return decide_command(asking, c);
}

// The edit first, then what the command comes to after it.
template <class C>
Outcome decide_after_edit(const Asking& asking, const Command& command, const C& c) {
  Event edit = edit_event(asking, verb_of(command));
  const State after = apply(asking.state, edit);
  const Asking then{after, asking.request, asking.facts, asking.reading};
  Outcome outcome = decide_one(then, c);
  if (auto* events = std::get_if<std::vector<Event>>(&outcome))
    events->insert(events->begin(), std::move(edit));
  return outcome;
}

template <class C>
Outcome decide_any(const State& state, const Request& request, const Command& command, const C& c,
                   const Facts& facts) {
  if (auto rejection = wrong_principal<C>(request)) return *rejection;
  constexpr bool begins = std::same_as<C, Init>;
  if (!state.begun && !begins)
    return refusal("the roles have not begun here", "", "begin: pairflow role init");
  if (auto rejection = stale_turn(state, request)) return *rejection;
  if constexpr (looks_away<C>) {
    return decide_one(Asking{state, request, facts}, c);
  } else {
    if (!facts.documents || !facts.time) return std::vector<Need>{Need::documents, Need::time};
    State reader = state;
    if constexpr (begins) reader.policy = c.policy;
    const Reading reading = read_files(reader, *facts.documents);
    const Asking asking{state, request, facts, &reading};
    const bool sound = reading.problems.empty();
    if (!sound && !is_report<C>) return unsound_register(reading);
    if (state.begun && sound && is_edited(state, reading))
      return decide_after_edit(asking, command, c);
    return decide_one(asking, c);
  }
}

struct Fits {
  const Body& body;
  template <class... Bodies>
  bool is() const {
    return (std::holds_alternative<Bodies>(body) || ...);
  }
  bool operator()(const Init&) const { return is<Initialized>(); }
  bool operator()(const Start&) const { return is<Started>(); }
  bool operator()(const Handoff&) const { return is<HandedOff>(); }
  bool operator()(const Block&) const { return is<Blocked>(); }
  bool operator()(const ApproveTask&) const { return is<TaskApproved, LandingApproved>(); }
  bool operator()(const ApproveFeature&) const { return is<FeatureApproved, LandingApproved>(); }
  bool operator()(const Decline&) const { return is<LandingDeclined>(); }
  bool operator()(const SetAutopilot&) const { return is<AutopilotSet>(); }
  bool operator()(const Configure&) const { return is<Configured>(); }
  bool operator()(const Automate&) const { return is<AutomationBegun>(); }
  bool operator()(const StopAutomation&) const { return is<AutomationEnded>(); }
  template <class Report>
  bool operator()(const Report&) const {
    return true;
  }
};

// In the order of Command.
constexpr std::array<std::string_view, std::variant_size_v<Command::variant>> kVerbs = {
    "init",
    "start",
    "handoff",
    "block",
    "approve-task",
    "approve-feature",
    "decline",
    "autopilot",
    "configure",
    "run",
    "stop",
    "check_documents",
    "file_written",
    "file_branch",
    "file_prepared",
    "file_checks",
    "file_merge",
    "file_moved",
    "begin_pull",
    "file_pull",
    "file_cleared",
    "file_trouble",
    "file_summary",
    "file_run_started",
    "file_run_ended",
    "file_delegated",
    "file_child_ended",
};

}  // namespace

std::string_view verb_of(const Command& command) { return kVerbs[command.index()]; }

std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection) {
  if (request.who.kind != PrincipalKind::agent) return std::nullopt;
  const std::string by = request.who.party();
  const LastWarning now{by, std::string(verb_of(command)), rejection.reason};
  if (std::ranges::find(state.warnings, now) != state.warnings.end()) return std::nullopt;
  return Event{by, by, state.last_landing,
               Warned{now.verb, now.reason, rejection.error.what, rejection.error.why}};
}

bool answers(const Event& first, const Request& request, const Command& command) {
  if (request.who.kind == PrincipalKind::orchestrator) return true;
  if (const auto* edited = std::get_if<RegisterEdited>(&first.body))
    return edited->verb == verb_of(command);
  return first.sender == request.who.party() && std::visit(Fits{first.body}, command);
}

std::optional<MergeAsked> merge_asked(const State& state, const Command& command) {
  const Landing* landing = nullptr;
  if (const auto* feature = std::get_if<ApproveFeature>(&command))
    landing = on_its_way(state, LandingKind::feature, feature->feature);
  if (std::holds_alternative<ApproveTask>(command))
    landing = on_its_way(state, LandingKind::task, "");
  if (landing == nullptr || landing->stage != Stage::approval || landing->into.empty())
    return std::nullopt;
  return MergeAsked{landing->commit, landing->into};
}

Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts) {
  return std::visit([&](const auto& c) { return decide_any(state, request, command, c, facts); },
                    command);
}

}  // namespace pf::role
