#include "bubble/domain/deciders.h"
#include "bubble/domain/evidence.h"

// What an agent's program says of itself, and what its screen shows.
namespace pf::bubble {
namespace {

constexpr std::size_t kShownWords = 300;
// More of them in one turn, or by one process, are noise that the journal can do without.
constexpr int kMostHindrances = 20;
constexpr int kMostConversations = 8;

// It becomes an argument of a program.
bool is_conversation(std::string_view id) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !id.empty() && id.size() <= 64 && id.front() != '-' && id.front() != '_' &&
         id.find_first_not_of(kPlain) == id.npos;
}

// The turn's own line has reached it: what it ends now is this turn, not the one before.
bool has_taken_turn(const Agent& agent) {
  return agent.deliveries.empty() || agent.deliveries.back().cause <= agent.taken;
}

}  // namespace

Outcome handle(const Asking& asking, const ReportPrompt& e) {
  const State& state = asking.state;
  const Agent* agent = state.agent(e.agent);
  if (agent == nullptr || !has_session(state.phase)) return nothing();
  const Seq cause = e.cause <= state.last_seq ? e.cause : Seq::none;
  const bool another = is_conversation(e.conversation) &&
                       agent->conversations < kMostConversations &&
                       (e.conversation != agent->conversation || !agent->spoken);
  if (cause <= agent->taken && !another && !agent->hindrance) return nothing();
  return std::vector{
      own_event(asking, "human", PromptTaken{e.agent, cause, another ? e.conversation : ""})};
}

Outcome handle(const Asking& asking, const ReportHindrance& e) {
  const State& state = asking.state;
  const Agent* agent = state.agent(e.agent);
  if (agent == nullptr || agent->exited || !has_session(state.phase)) return nothing();
  const auto& now = agent->hindrance;
  const bool gave_up = now && now->until.empty() && !e.until.empty();  // it tried by itself before
  if (now && now->obstacle == e.obstacle && !gave_up) return nothing();
  if (agent->hindrances >= kMostHindrances || (!e.what.empty() && agent->waited_out == e.what))
    return nothing();
  return std::vector{own_event(asking, "human", Hindered{e})};
}

Outcome handle(const Asking& asking, const ReportFreed& e) {
  const State& state = asking.state;
  const Agent* agent = state.agent(e.agent);
  if (agent == nullptr || !agent->hindrance) return nothing();
  const bool on_turn = state.phase == Phase::running && state.active_agent == e.agent;
  return std::vector{own_event(asking, "human", Freed{e.agent, e.again && on_turn})};
}

// An agent that ends its turn without handing over is sent back once; then the human is asked.
Outcome handle(const Asking& asking, const EndTurn& end) {
  const State& state = asking.state;
  const AgentName& name = asking.request.who.name;
  const Agent* agent = state.agent(name);
  if (agent == nullptr || state.phase != Phase::running || state.active_agent != name)
    return nothing();
  if (state.active_role == Role::reviewer && wants_checks(state))
    return nothing();  // it will be told when they are over
  if (!has_taken_turn(*agent)) return nothing();
  const LastWarning before{std::string(EndTurn::kTag.verb), "no_handover", state.turn};
  if (!contains(agent->warnings, before))
    return warning("no_handover", "it is still your turn",
                   "you stopped without handing over, and nobody else goes on until you do",
                   "finish the work, then run one of: pairflow pass, pairflow converged, pairflow "
                   "ask-human (pairflow turn shows how)");
  std::string said = clip(printable(end.said), kShownWords);
  if (!said.empty()) said = fmt::format(" Its last words: “{}”", said);
  return std::vector{parking_question(
      asking,
      {QuestionKind::no_handover,
       fmt::format(
           "{} ({}) stopped twice without handing over.{} Look at its pane, then reply with "
           "what it is to do.",
           name, *state.active_role, said)})};
}

}  // namespace pf::bubble
