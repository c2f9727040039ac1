#include "bubble/domain/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/deciders.h"

namespace pf::bubble {

PF_COMPILED_HERE(Command);

namespace {

bool is_agents(const Command& command) {
  return std::holds_alternative<Pass>(command) || std::holds_alternative<AskHuman>(command) ||
         std::holds_alternative<Converge>(command) || std::holds_alternative<EndTurn>(command);
}

bool is_orchestrators(const Command& command) {
  return std::visit(
      []<class C>(const C&) {
        return requires(const Asking& asking, const C& c) { record(asking, c); };
      },
      command);
}

std::optional<Rejection> wrong_principal(const Request& request, const Command& command) {
  const PrincipalKind who = request.who.kind;
  if (is_agents(command)) {
    if (who == PrincipalKind::agent) return std::nullopt;
    return Rejection{{Exit::refused, "only an agent of the bubble can do this",
                      "PAIRFLOW_AGENT does not name one",
                      "run it in an agent's pane, or set PAIRFLOW_REPO, PAIRFLOW_BUBBLE and "
                      "PAIRFLOW_AGENT"}};
  }
  // The human may run the one-shot watchdog; nothing else of the orchestrator's has a verb.
  if (is_orchestrators(command) && who != PrincipalKind::agent) return std::nullopt;
  if (who == PrincipalKind::human) return std::nullopt;
  return Rejection{{Exit::refused, "this decision is the human's",
                    fmt::format("it was asked for by {}", request.who.party()),
                    "ask for it: pairflow ask-human --question \"…\""}};
}

// A human verb that was prepared on another turn than the one it would act on.
std::optional<Rejection> stale_turn(const State& state, const Request& request) {
  if (request.who.kind != PrincipalKind::human || request.turn == Seq::none) return std::nullopt;
  if (request.turn == state.turn) return std::nullopt;
  return Rejection{{Exit::refused, "the bubble has moved on since you looked",
                    fmt::format("it is {} in round {} now", name_of(state.phase), state.round),
                    fmt::format("look again: pairflow bubble status --id {}", state.id.str())}};
}

struct Dispatch {
  const Asking& asking;

  Outcome operator()(const Create& c) const { return decide_create(asking, c); }
  Outcome operator()(const AdoptConfig& c) const { return decide_adopt(asking, c); }
  Outcome operator()(const Start&) const { return decide_start(asking); }
  Outcome operator()(const Pass& c) const { return decide_pass(asking, c); }
  Outcome operator()(const AskHuman& c) const { return decide_ask_human(asking, c); }
  Outcome operator()(const Converge& c) const { return decide_converge(asking, c); }
  Outcome operator()(const EndTurn& c) const { return decide_end_turn(asking, c); }
  Outcome operator()(const Reply& c) const { return decide_reply(asking, c); }
  Outcome operator()(const Resume&) const { return decide_resume(asking); }
  Outcome operator()(const Replan& c) const { return decide_replan(asking, c); }
  Outcome operator()(const Waive& c) const { return decide_waive(asking, c); }
  Outcome operator()(const Approve& c) const { return decide_approve(asking, c); }
  Outcome operator()(const Rework& c) const { return decide_rework(asking, c); }
  Outcome operator()(const Commit& c) const { return decide_commit(asking, c); }
  Outcome operator()(const Merge&) const { return decide_merge(asking); }
  Outcome operator()(const Stop& c) const { return decide_stop(asking, c); }
  Outcome operator()(const RerunChecks&) const { return decide_rerun(asking); }
  Outcome operator()(const ChangeProfile& c) const { return decide_profile(asking, c); }
  template <class Report>
  Outcome operator()(const Report& report) const {
    return record(asking, report);
  }
};

struct Fits {
  const Body& body;

  template <class... Bodies>
  bool is() const {
    return (std::holds_alternative<Bodies>(body) || ...);
  }
  bool decides(bool approve) const {
    const auto* decided = std::get_if<Decided>(&body);
    return decided != nullptr && (decided->decision == Approval::approve) == approve;
  }
  bool operator()(const Create&) const { return is<Created>(); }
  bool operator()(const AdoptConfig&) const { return is<ConfigEdited>(); }
  bool operator()(const Start&) const { return is<Preparing>(); }
  bool operator()(const Pass&) const { return is<Passed>(); }
  bool operator()(const AskHuman&) const { return is<Asked>(); }
  bool operator()(const Converge&) const { return is<Converged>(); }
  bool operator()(const EndTurn&) const { return is<Asked>(); }
  bool operator()(const Reply&) const { return is<Replied>(); }
  bool operator()(const Resume&) const { return is<Replied, Resumed>(); }
  bool operator()(const Replan&) const { return is<Replied, Tasked>(); }
  bool operator()(const Waive&) const { return is<Waived>(); }
  bool operator()(const Approve&) const { return decides(true); }
  bool operator()(const Rework&) const { return decides(false); }
  bool operator()(const Commit&) const { return is<CommitPrepared>(); }
  bool operator()(const Merge&) const { return is<MergePrepared>(); }
  bool operator()(const Stop&) const { return is<Cancelled>(); }
  bool operator()(const RerunChecks&) const { return is<RerunAsked>(); }
  bool operator()(const ChangeProfile&) const { return is<ProfileChanged>(); }
  template <class Report>
  bool operator()(const Report&) const {
    return true;
  }
};

}  // namespace

std::string_view verb_of(const Command& command) {
  if (std::holds_alternative<Pass>(command)) return "pass";
  if (std::holds_alternative<AskHuman>(command)) return "ask-human";
  if (std::holds_alternative<EndTurn>(command)) return "stop";
  return "converged";
}

std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection) {
  const LastWarning now{std::string(verb_of(command)), rejection.reason, state.turn};
  if (const Agent* agent = state.agent(request.who.name))
    if (std::ranges::find(agent->warnings, now) != agent->warnings.end()) return std::nullopt;
  return Event{
      request.who.party(), request.who.party(), state.round,
      Warned{now.verb, now.reason, rejection.error.what, rejection.error.why, rejection.unmet}};
}

bool answers(const Event& first, const Request& request, const Command& command) {
  if (request.who.kind == PrincipalKind::orchestrator) return true;
  // A human's replan is told by the orchestrator.
  const bool same = first.sender == request.who.party() || first.sender == "orchestrator";
  return same && std::visit(Fits{first.body}, command);
}

Event make_event(const Asking& asking, std::string recipient, Body body) {
  return {asking.request.who.party(), std::move(recipient), asking.state.round, std::move(body)};
}

Event own_event(const Asking& asking, std::string recipient, Body body) {
  return {"orchestrator", std::move(recipient), asking.state.round, std::move(body)};
}

Event parking_question(const Asking& asking, QuestionKind kind, std::string text) {
  Asked asked;
  asked.kind = kind;
  asked.question = std::move(text);
  Event event = own_event(asking, "human", std::move(asked));
  event.then = parked(asking.state);
  return event;
}

std::string differing(const TreeFact& tree) {
  constexpr std::size_t kNamed = 20;
  if (tree.moved.empty()) return "";
  std::vector<std::string> named;
  for (const ChangedFile& file : tree.moved)
    if (named.size() < kNamed) named.push_back(printable(file.path));
  const std::size_t more = tree.moved.size() - named.size();
  return ": " + join(named, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

ChangeStats stats_of(const std::vector<ChangedFile>& changed) {
  ChangeStats stats;
  stats.files = static_cast<int>(changed.size());
  for (const ChangedFile& file : changed) {
    stats.added += std::max(0, file.added);
    stats.removed += std::max(0, file.removed);
  }
  return stats;
}

std::vector<std::string> out_of_scope(const Policy& policy,
                                      const std::vector<ChangedFile>& changed) {
  constexpr std::size_t kNamed = 50;
  std::vector<std::string> outside;
  for (const ChangedFile& file : changed) {
    const auto matches = [&](const std::string& glob) { return glob_match(glob, file.path); };
    const bool allowed =
        policy.scope_allow.empty() || std::ranges::any_of(policy.scope_allow, matches);
    if (allowed && std::ranges::none_of(policy.scope_deny, matches)) continue;
    if (outside.size() == kNamed) {
      outside.push_back("… and more");
      break;
    }
    outside.push_back(file.path);
  }
  return outside;
}

std::optional<Rejection> refused_when_final(const State& state) {
  if (!is_final(state.phase)) return std::nullopt;
  return Rejection{{Exit::refused,
                    fmt::format("bubble {} is {}", state.id.str(), name_of(state.phase)),
                    "a finished bubble does not change",
                    "create a new one: pairflow bubble create --id <new id> …"}};
}

Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts) {
  if (auto rejection = wrong_principal(request, command)) return *rejection;
  if (state.phase == Phase::none && !std::holds_alternative<Create>(command))
    return refuse("there is no such bubble", "", "see: pairflow bubble list");
  if (auto rejection = stale_turn(state, request)) return *rejection;
  const Asking asking{state, request, facts};
  return std::visit(Dispatch{asking}, command);
}

}  // namespace pf::bubble
