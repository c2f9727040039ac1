#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/evidence.h"
#include "bubble/domain/hidden_text.h"
#include "bubble/domain/views.h"

namespace pf::bubble {

namespace {

InboxItem held_up(const State& state, const Agent& agent) {
  const Hindrance& hindrance = *agent.hindrance;
  const std::string attach = fmt::format("pairflow bubble attach --id {}", state.id);
  std::string text;
  switch (hindrance.obstacle) {
    case Obstacle::dialog: text = "asks something in its pane; answer it there"; break;
    case Obstacle::limit: text = "has reached its usage limit"; break;
    case Obstacle::overload: text = "gets no answer from its model"; break;
  }
  if (!hindrance.until.empty()) text += fmt::format("; it is told to go on at {}", hindrance.until);
  return {agent.name.str(),
          std::string(name_of(hindrance.obstacle)),
          hindrance.ts,
          "orchestrator",
          printable_lines(fmt::format("{} {}: {}", agent.name, text, hindrance.what)),
          attach};
}

// A red base, and checks that cannot run, are also answered by dropping them, or by giving up.
std::vector<std::string> otherwise_of(const State& state, const Question& question) {
  const bool unable = question.kind == QuestionKind::unable && !question.checks.empty();
  if (question.kind != QuestionKind::base && !unable) return {};
  return {drop_command(state.id, question.checks),
          fmt::format("pairflow bubble stop --id {}", state.id)};
}

std::string hidden_warning(const State& state) {
  constexpr std::size_t kNamed = 3;
  if (state.hidden.empty()) return "";
  return fmt::format(" It holds hidden characters: {}.", name_some(in_words(state.hidden), kNamed));
}

}  // namespace

std::vector<InboxItem> inbox_of(const State& state) {
  std::vector<InboxItem> items;
  const std::string& id = state.id.str();
  for (const Question& question : state.questions) {
    const std::string how = is_decision(question.kind)
                                ? "--decision accept|continue [--message \"…\"]"
                                : "--message \"…\"";
    items.push_back(
        {question.id.str(), std::string(name_of(question.kind)), question.ts, question.from,
         printable_lines(question.text),
         fmt::format("pairflow bubble reply --id {} --question {} {}", id, question.id, how),
         otherwise_of(state, question)});
  }
  if (has_session(state.phase))
    for (const Agent& agent : state.agents)
      if (agent.hindrance) items.push_back(held_up(state, agent));
  const std::vector<std::string> otherwise = {
      fmt::format("pairflow bubble diff --id {}", id),
      fmt::format("pairflow bubble request-rework --id {} --message \"…\"", id)};
  if (state.phase == Phase::ready)
    items.push_back({id, "approval", state.active_since, "orchestrator",
                     fmt::format("Both models found nothing serious in tree {}.{}",
                                 state.converged_tree ? state.converged_tree->str() : "",
                                 hidden_warning(state)),
                     fmt::format("pairflow bubble approve --id {}", id), otherwise});
  if (state.phase == Phase::approved)
    items.push_back({id, "commit", state.active_since, "orchestrator",
                     "Approved; the commit is yours to make.",
                     fmt::format("pairflow bubble commit --id {}", id)});
  if (state.phase == Phase::preparing && !state.trouble.empty())
    items.push_back({id, "setup_failed", state.active_since, "orchestrator",
                     printable_lines(state.trouble),
                     fmt::format("pairflow bubble start --id {}", id)});
  return items;
}

}  // namespace pf::bubble
