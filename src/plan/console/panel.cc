#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "plan/console/parts.h"
#include "screen/wrap.h"

namespace pf::console {
namespace {

// "- text", wrapped with a hanging indent, a column free at the right.
std::vector<Row> bullet(const Row& mark, const std::string& text, Style style, std::size_t width) {
  auto rows = wrap(Row(" ").add(mark).add(" "), clip(text, 1000), style, 3, width - 1);
  for (Row& row : rows) row = row.fitted(width);
  return rows;
}

Row step_row(const PlanView::Step& step, const PlanView& view, std::size_t width) {
  const bool at_work = step.active && view.phase != plan::Phase::done;
  const Style style = at_work                                 ? turn_style(view)
                      : step.status == plan::StepStatus::done ? Style::dim
                                                              : Style::plain;
  Row row = Row(" ").add(step_mark(step, view.phase)).add(" ");
  const bool numbered =
      !step.id.empty() && step.id.find_first_not_of("0123456789") == std::string::npos;
  if (numbered || step.title.empty()) row.add(step.id + " ", style);
  row.add(step.title, style);
  const std::string requests = step.change_requests == 0
                                   ? ""
                                   : fmt::format(" {} change{} ", step.change_requests,
                                                 step.change_requests == 1 ? "" : "s");
  return row.with_right(Row(requests, step.status == plan::StepStatus::done ? Style::dim : kAlarm),
                        width);
}

// A window of the steps around the active one.
std::vector<Row> step_rows(const PlanView& view, std::size_t width, std::size_t height) {
  const std::size_t count = view.steps.size();
  std::vector<Row> rows;
  if (height == 0) return rows;
  if (count == 0) return {Row(" no steps", Style::dim).fitted(width)};
  const auto active = static_cast<std::size_t>(
      std::ranges::find(view.steps, true, &PlanView::Step::active) - view.steps.begin());
  const std::size_t shown = std::min(count, height);
  const std::size_t middle = active == count ? 0 : active;
  const std::size_t first = std::min(middle > shown / 2 ? middle - shown / 2 : 0, count - shown);
  for (std::size_t i = first; i < first + shown; ++i)
    rows.push_back(step_row(view.steps[i], view, width));
  const auto more = [&](std::size_t n, const char* where) {
    return Row(fmt::format("   … {} {}", n, where), Style::dim).fitted(width);
  };
  if (first > 0 && shown > 2) rows.front() = more(first + 1, "before");
  if (first + shown < count && shown > 2) rows.back() = more(count - first - shown + 1, "more");
  return rows;
}

std::vector<Row> acceptance_rows(const PlanView& view, std::size_t width) {
  std::vector<Row> rows;
  for (const PlanView::Step& step : view.steps)
    if (step.active)
      for (const std::string& criterion : step.acceptance)
        append(rows, bullet(Row("▫", Style::dim), criterion, Style::plain, width));
  return rows;
}

std::vector<Row> problem_rows(const PlanView& view, std::size_t width) {
  std::vector<Row> rows;
  for (const std::string& problem : view.problems)
    append(rows, bullet(Row("!", kAlarm), problem, kAlarm, width));
  return rows;
}

void cut(std::vector<Row>& rows, std::size_t height, std::size_t width) {
  if (rows.size() <= height) return;
  rows.resize(height);
  if (height > 1) rows.back() = Row("   …", Style::dim).fitted(width);
}

}  // namespace

std::vector<Row> panel(const PlanView& view, std::size_t width, std::size_t height) {
  std::vector<Row> rows;
  const auto section = [&](std::string_view name, Style style, const std::vector<Row>& body) {
    if (body.empty()) return;
    if (!rows.empty()) rows.push_back(Row().fitted(width));
    rows.push_back(Row(" ").add(name, style).fitted(width));
    append(rows, body);
  };
  std::vector<Row> problems = problem_rows(view, width), accept = acceptance_rows(view, width);
  cut(problems, height / 4, width);
  cut(accept, height / 3, width);
  const auto taken = [](const std::vector<Row>& body) {
    return body.empty() ? 0 : body.size() + 2;  // a blank row and the name
  };
  constexpr std::size_t kGuard = 3, kSteps = 1;
  const std::size_t others = taken(problems) + taken(accept) + kGuard + kSteps;
  section("Steps", Style::bold, step_rows(view, width, height > others ? height - others : 1));
  section("Acceptance", Style::bold, accept);
  section(view.parked ? "Loop guard: PARKED" : "Loop guard", view.parked ? kAlarm : Style::bold,
          {Row(" " + view.guard, view.parked ? kAlarm : Style::plain).fitted(width)});
  section("Problems", kAlarm, problems);
  while (rows.size() < height) rows.push_back(Row().fitted(width));
  rows.resize(height);
  return rows;
}

}  // namespace pf::console
