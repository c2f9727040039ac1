#include "bubble/domain/decide.h"

#include <algorithm>

#include "bubble/domain/deciders.h"

namespace pf::bubble {

PF_COMPILED_HERE(Command);

namespace {

Rejection wrong_principal(const Request& request, const CommandTag& command) {
  if (command.by == By::agent)
    return refuse("only an agent of the bubble can do this", "PAIRFLOW_AGENT does not name one",
                  "run it in an agent's pane, or set PAIRFLOW_REPO, PAIRFLOW_BUBBLE and "
                  "PAIRFLOW_AGENT");
  if (request.who.kind == PrincipalKind::orchestrator)
    return refuse("this decision is the human's", std::string(kDecidesNothing),
                  std::string(kDecideElsewhere));
  return refuse("this decision is the human's",
                fmt::format("it was asked for by {}", request.who.party()),
                "ask for it: pairflow ask-human --question \"…\"");
}

Rejection stale_turn(const State& state) {
  return refuse("the bubble has moved on since you looked",
                fmt::format("it is {} in round {} now", state.phase, state.round),
                fmt::format("look again: pairflow bubble status --id {}", state.id));
}

}  // namespace

std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection) {
  const LastWarning now{std::string(verb_of(command)), rejection.reason, state.turn};
  if (const Agent* agent = state.agent(request.who.name))
    if (contains(agent->warnings, now)) return std::nullopt;
  return Event{
      request.who.party(), request.who.party(), state.round,
      Warned{now.verb, now.reason, rejection.error.what, rejection.error.why, rejection.unmet}};
}

Event parking_question(const Asking& asking, Asked asked) {
  Event event = own_event(asking, "human", std::move(asked));
  event.then = parked(asking.state);
  return event;
}

std::string differing(const TreeFact& tree) {
  std::vector<std::string> paths;
  for (const ChangedFile& file : tree.moved) paths.push_back(file.path);
  return paths.empty() ? "" : ": " + name_some(paths, kPathsNamed);
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
  return refuse(fmt::format("bubble {} is {}", state.id, state.phase),
                "a finished bubble does not change",
                state.phase == Phase::done && state.merged.empty()
                    ? fmt::format("go on with its change as another one: pairflow bubble continue "
                                  "--id {}",
                                  state.id)
                    : "create a new one: pairflow bubble create --id <new id> …");
}

Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts) {
  if (!may_ask(request, tag_of(command))) return wrong_principal(request, tag_of(command));
  if (state.phase == Phase::none && !std::holds_alternative<Create>(command))
    return refuse("there is no such bubble", "", "see: pairflow bubble list");
  const Asking asking{state, request, facts};
  if (asking.is_human() && asking.is_stale()) return stale_turn(state);
  return handle_any(asking, command);
}

}  // namespace pf::bubble
