#include <fmt/format.h>

#include "base/text.h"
#include "plan/console/parts.h"
#include "screen/wrap.h"

namespace pf::console {
namespace {

struct Asking {
  std::string_view title, answer;
};

Asking asking_of(plan::HaltKind kind) {
  using enum plan::HaltKind;
  switch (kind) {
    case asked: return {"asks", "type your answer, Enter sends"};
    case guard: return {"parked by the loop guard", "reply to the coder, or :reset-guard"};
    case no_pending_steps:
      return {"every step is approved", "a reply ends the plan, or begins a new step"};
    case budget: return {"the step's time is over", "reply, or :resume"};
    case silent: return {"the agent ended without a result", "reply, or :resume"};
    case paused: return {"paused", "reply, or :resume"};
    case failed: return {"something failed", ":resume goes on, :reset begins the step anew"};
  }
  return {"waits", "reply"};
}

}  // namespace

std::vector<Row> question_block(const PlanView& view, std::size_t width, std::size_t height) {
  if (!view.question || height == 0) return {};
  const PlanView::Question& question = *view.question;
  const Asking asking = asking_of(question.kind);
  const bool by_agent = question.kind == plan::HaltKind::asked;
  const Style style = by_agent ? kUser : turn_style(view);
  const std::string title =
      by_agent ? fmt::format("the {} {}", question.who, asking.title) : std::string(asking.title);
  std::vector<Row> rows = {Row("▌", style)
                               .add(fmt::format(" {} ", title), style.inverted())
                               .add(fmt::format(" — {}", asking.answer), Style::dim)};
  const std::size_t room = width > 2 ? width - 2 : 1;
  for (const Row& row : wrap(Row(), clip(question.text, 8u << 10), Style::bold, 0, room))
    rows.push_back(Row("▌ ", style).add(row));
  if (rows.size() > height) {
    rows.resize(height);
    if (height > 1) rows.back().add(" …", Style::dim);
  }
  for (Row& row : rows) row = row.fitted(width);
  return rows;
}

}  // namespace pf::console
