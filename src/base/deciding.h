#pragma once
// What the deciders of all loops share.
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/codec.h"
#include "base/request.h"
#include "base/tag.h"
#include "base/text.h"

namespace pf {

template <class State, class Event_, class Reading = void>
struct Asking {
  using Event = Event_;
  const State& state;
  const Request& request;
  const Facts& facts;
  const Reading* reading = nullptr;  // for commands that look at the documents
  bool is_human() const { return request.who.kind == PrincipalKind::human; }
  // Prepared on another turn than the one it would act on.
  bool is_stale() const { return request.turn != Seq::none && request.turn != state.turn; }
};

// Whom an event is for: an agent, or one of three words; another one does not compile.
class Recipient {
 public:
  consteval Recipient(const char* word) : text_(word) {
    if (text_ != "human" && text_ != "orchestrator" && text_ != "both") throw "no such party";
  }
  Recipient(const AgentName& agent) : text_(agent.str()) {}
  // The agent in that role; `name` outlives it.
  static Recipient in_role(std::string_view name) { return Recipient(name); }
  std::string str() const { return std::string(text_); }

 private:
  explicit Recipient(std::string_view text) : text_(text) {}
  std::string_view text_;
};

template <class State, class Event, class Reading>
Event make_event(const Asking<State, Event, Reading>& asking, Recipient recipient,
                 std::type_identity_t<decltype(Event::body)> body) {
  return {asking.request.who.party(), recipient.str(), round_of(asking.state), std::move(body)};
}
// An event of our own, in the name of the orchestrator.
template <class State, class Event, class Reading>
Event own_event(const Asking<State, Event, Reading>& asking, Recipient recipient,
                std::type_identity_t<decltype(Event::body)> body) {
  return {std::string(kOrchestrator), recipient.str(), round_of(asking.state), std::move(body)};
}

inline Rejection refuse(std::string what, std::string why = {}, std::string fix = {}) {
  return {{Exit::refused, std::move(what), std::move(why), std::move(fix)}};
}
inline Rejection usage(std::string what, std::string fix) {
  return {{Exit::usage, std::move(what), "", std::move(fix)}};
}
// A refused command of an agent: one PROTOCOL_WARNING for each agent, verb and reason in a turn.
inline Rejection warning(std::string reason, std::string what, std::string why = {},
                         std::string fix = {}) {
  return {
      {Exit::refused, std::move(what), std::move(why), std::move(fix)}, std::move(reason), true};
}
// Because of what is wrong in a document, or what is still missing, point by point.
inline Rejection because_of(std::vector<std::string> unmet, Rejection rejection) {
  rejection.error.why = join(unmet, "\n    ");
  rejection.unmet = std::move(unmet);
  return rejection;
}
// Two loops in the same files would take each other's changes for their own.
inline Rejection checkout_taken(const ClaimFact& claim, const std::string& other_way = {}) {
  return refuse(fmt::format("{} in this checkout", claim.holder),
                "a second loop would take its changes for its own",
                fmt::format("{}{} it free: {}", other_way, other_way.empty() ? "make" : "; or make",
                            claim.release));
}
inline std::vector<Need> need(Need what) { return {what}; }

template <class State, class Event, class Reading>
Decision<Event> handle_any(const Asking<State, Event, Reading>& asking, const auto& command) {
  return std::visit([&](const auto& c) { return handle(asking, c); }, command);
}
// The event first, then what the command comes to after it.
template <class State, class Event, class Reading>
Decision<Event> handle_after(const Asking<State, Event, Reading>& asking,
                             std::type_identity_t<Event> event, const auto& command) {
  const State after = apply(asking.state, event);
  const Asking<State, Event, Reading> then{after, asking.request, asking.facts, asking.reading};
  Decision<Event> outcome = handle_any(then, command);
  if (auto* events = std::get_if<std::vector<Event>>(&outcome))
    events->insert(events->begin(), std::move(event));
  return outcome;
}

inline bool may_ask(const Request& request, const CommandTag& command) {
  switch (request.who.kind) {
    case PrincipalKind::human: return includes(command.by, By::human);
    case PrincipalKind::agent: return includes(command.by, By::agent);
    case PrincipalKind::orchestrator: return includes(command.by, By::orchestrator);
  }
  return false;
}

// To whoever is below our own processes: neither the human nor an agent.
inline constexpr std::string_view kDecidesNothing =
    "what runs in `bubble shell`, a check or a hook decides nothing";
inline constexpr std::string_view kDecideElsewhere = "run it in a terminal of your own";

// Whether a batch that begins with this event is what such a command, asked for by the same party,
// leads to: a request id that comes again with another one is a mistake. What only the orchestrator
// reports may be answered by anything; an edit that a command found comes before its answer.
template <class Event, class Command>
bool answers(const Event& first, const Request& request, const Command& command) {
  if (request.who.kind == PrincipalKind::orchestrator) return true;
  if constexpr (requires { typename Command::Edit; })
    if (const auto* edited = std::get_if<typename Command::Edit>(&first.body))
      return edited->verb == tag_of(command).verb;
  if (first.sender != request.who.party() && first.sender != kOrchestrator) return false;
  return std::visit(
      [&]<class C>(const C&) {
        if constexpr (requires { typename C::Answer; }) return C::Answer::holds(first.body);
        static_assert(requires { typename C::Answer; } || includes(C::kTag.by, By::orchestrator));
        return true;
      },
      command);
}

}  // namespace pf
