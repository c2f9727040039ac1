#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/views.h"

namespace pf::bubble {

std::vector<InboxItem> inbox_of(const State& state) {
  std::vector<InboxItem> items;
  const std::string& id = state.id.str();
  for (const Question& question : state.questions) {
    const std::string how = is_decision(question.kind)
                                ? "--decision accept|continue [--message \"…\"]"
                                : "--message \"…\"";
    items.push_back({question.id.str(), std::string(name_of(question.kind)), question.ts,
                     question.from, printable_lines(question.text),
                     fmt::format("pairflow bubble reply --id {} --question {} {}", id,
                                 question.id.str(), how)});
  }
  if (state.phase == Phase::ready)
    items.push_back({id,
                     "approval",
                     state.active_since,
                     "orchestrator",
                     fmt::format("Both models found nothing serious in tree {}.",
                                 state.converged_tree ? state.converged_tree->str() : ""),
                     fmt::format("pairflow bubble approve --id {}", id),
                     {fmt::format("pairflow bubble diff --id {}", id),
                      fmt::format("pairflow bubble request-rework --id {} --message \"…\"", id)}});
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
