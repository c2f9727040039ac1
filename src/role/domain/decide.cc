#include "role/domain/decide.h"

#include "role/domain/deciders.h"

namespace pf::role {

PF_COMPILED_HERE(Command);

namespace {

Rejection wrong_principal(const Request& request) {
  return refuse("this decision is the human's",
                fmt::format("it was asked for by {}", printable(request.who.party())),
                "ask for it: pairflow role block --by HUMAN --message <questions>");
}

Rejection stale_turn(const Asking& asking) {
  const State& state = asking.state;
  Rejection rejection = refuse(
      "the role has moved on since you looked",
      fmt::format(
          "it is {} {} now{}", state.reg.current_role, state.reg.state,
          state.taken ? fmt::format(", taken by {} at {}", state.taken->by, state.taken->at) : ""),
      "look again: pairflow role status");
  rejection.reason = "stale_turn";
  rejection.warn = !asking.is_human();
  return rejection;
}

// Whether somebody begins to work with it in the checkout.
bool begins_work(const Command& command) {
  return std::holds_alternative<Automate>(command) || std::holds_alternative<Start>(command) ||
         std::holds_alternative<Handoff>(command);
}

}  // namespace

std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection) {
  if (request.who.kind != PrincipalKind::agent) return std::nullopt;
  const std::string by = request.who.party();
  const LastWarning now{by, std::string(verb_of(command)), rejection.reason};
  if (contains(state.warnings, now)) return std::nullopt;
  return Event{by, by, state.last_landing,
               Warned{now.verb, now.reason, rejection.error.what, rejection.error.why}};
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
  const CommandTag& tag = tag_of(command);
  if (!may_ask(request, tag)) return wrong_principal(request);
  const auto* init = std::get_if<Init>(&command);
  if (!state.begun && init == nullptr)
    return refuse("the roles have not begun here", "", "begin: pairflow role init");
  Asking asking{state, request, facts};
  const bool is_ours = request.who.kind == PrincipalKind::orchestrator;
  if (!is_ours && asking.is_stale()) return stale_turn(asking);
  if (tag.reads == Reads::nothing) return handle_any(asking, command);
  if (!facts.documents || !facts.time) return std::vector<Need>{Need::documents, Need::time};
  if (begins_work(command) && !holds_checkout(state)) {
    if (!facts.claim) return need(Need::claim);
    if (!facts.claim->holder.empty()) return checkout_taken(*facts.claim);
  }
  State reader = state;
  if (init != nullptr) reader.policy = init->policy;
  const Reading reading = read_files(reader, *facts.documents);
  asking.reading = &reading;
  const bool sound = reading.problems.empty();
  if (!sound && tag.by != kReport)
    return because_of(in_words(kRegisterFile, reading.problems),
                      warning("invalid_register", fmt::format("{} is not sound", kRegisterFile), "",
                              "mend it, then run this again"));
  if (state.begun && sound && is_edited(state, reading))
    return handle_after(asking, edit_event(asking, tag.verb), command);
  return handle_any(asking, command);
}

}  // namespace pf::role
