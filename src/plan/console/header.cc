#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/console/parts.h"

namespace pf::console {
namespace {

using plan::Phase;

std::string turn_name(const PlanView& view) {
  switch (view.phase) {
    case Phase::coder_active: return "CODER";
    case Phase::reviewer_active: return "REVIEWER";
    case Phase::awaiting_user_input: return view.parked ? "PARKED" : "YOUR TURN";
    case Phase::error: return "ERROR";
    case Phase::done: return "DONE";
    case Phase::none: break;
  }
  return "NOT STARTED";
}

std::string age(const PlanView& view, WallTime now) {
  const WallTime since = parse_iso8601(view.since);
  if (since.ms == 0 || now.ms < since.ms || view.phase == Phase::done) return "";
  return human_duration(std::chrono::milliseconds(now.ms - since.ms));
}

// "✓ ✓ ● · ·", as far as it goes.
Row strip(const PlanView& view, std::size_t width) {
  Row row;
  if (view.steps.size() * 2 > width) return row;
  for (const PlanView::Step& step : view.steps) row.add(step_mark(step, view.phase)).add(" ");
  return row;
}

const PlanView::Step* active_step(const PlanView& view) {
  const auto found = std::ranges::find(view.steps, true, &PlanView::Step::active);
  return found == view.steps.end() ? nullptr : &*found;
}

}  // namespace

Style turn_style(const PlanView& view) {
  switch (view.phase) {
    case Phase::coder_active: return kCoder;
    case Phase::reviewer_active: return kReviewer;
    case Phase::awaiting_user_input: return view.parked ? kAlarm : kUser;
    case Phase::error: return kAlarm;
    case Phase::done: return Style::good;
    case Phase::none: break;
  }
  return kPairflow;
}

Row step_mark(const PlanView::Step& step, Phase phase) {
  const bool at_work = step.active && phase != Phase::done;
  switch (step.status) {
    case plan::StepStatus::done: return Row("✓", Style::good);
    case plan::StepStatus::needs_changes: return at_work ? Row("●", kAlarm) : Row("!", kAlarm);
    case plan::StepStatus::pending: break;
  }
  return at_work ? Row("●", Style::bold) : Row("·", Style::dim);
}

Row title_row(const PlanView& view, WallTime now, bool step, std::size_t width) {
  Row row(" ");
  row.add(view.feature.empty() ? "plan" : view.feature, Style::bold).add(" ");
  row.add(fmt::format(" {}{}{} ", turn_name(view), view.agent.empty() ? "" : " ", view.agent),
          turn_style(view).inverted());
  if (view.question && view.phase == Phase::awaiting_user_input)
    row.add(fmt::format(" {}", name_of(view.question->kind)), Style::dim);
  if (step) row.add("  ").add(view.step, Style::bold);
  const std::string time = width < 40 ? "" : age(view, now);
  return row.with_right(Row(time.empty() ? "" : fmt::format(" {} ", time), Style::dim), width);
}

std::vector<Row> summary(const PlanView& view, std::size_t width, std::size_t height) {
  std::vector<Row> rows;
  Row steps(" ");
  steps.add(strip(view, width / 3)).add(view.step, Style::bold);
  const Row guard(fmt::format(" {} ", view.guard), view.parked ? kAlarm : Style::dim);
  rows.push_back(width >= 60 ? steps.with_right(guard, width) : steps.fitted(width));
  if (!view.problems.empty()) {
    const std::size_t more = view.problems.size() - 1;
    rows.push_back(
        Row(" ! " + view.problems.front(), kAlarm)
            .with_right(Row(more == 0 ? "" : fmt::format(" +{} ", more), kAlarm), width));
  }
  const PlanView::Step* step = active_step(view);
  if (step != nullptr && !step->acceptance.empty())
    rows.push_back(
        Row(" accept: ", Style::dim).add(join(step->acceptance, " · "), Style::dim).fitted(width));
  if (rows.size() > height) rows.resize(height);
  return rows;
}

}  // namespace pf::console
