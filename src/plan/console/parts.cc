#include "plan/console/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "screen/wrap.h"

namespace pf::console {
namespace {

using plan::Phase;

// The agent on turn, as it is shown.
struct Turn {
  std::string_view name;
  Style style;
};

Turn turn_of(const PlanView& view) {
  switch (view.phase) {
    case Phase::coder_active: return {"CODER", kCoder};
    case Phase::reviewer_active: return {"REVIEWER", kReviewer};
    case Phase::awaiting_user_input:
      return view.parked ? Turn{"PARKED", kAlarm} : Turn{"YOUR TURN", kUser};
    case Phase::error: return {"ERROR", kAlarm};
    case Phase::done: return {"DONE", Style::good};
    case Phase::none: break;
  }
  return {"NOT STARTED", kPairflow};
}

// ✓ done, ● active, ! needs changes, · pending.
Row step_mark(const PlanView::Step& step, Phase phase) {
  const bool at_work = step.active && phase != Phase::done;
  switch (step.status) {
    case plan::StepStatus::done: return Row("✓", Style::good);
    case plan::StepStatus::needs_changes: return at_work ? Row("●", kAlarm) : Row("!", kAlarm);
    case plan::StepStatus::pending: break;
  }
  return at_work ? Row("●", Style::bold) : Row("·", Style::dim);
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

// "- text" for each, wrapped with a hanging indent, a column free at the right.
std::vector<Row> bullets(const Row& mark, const std::vector<std::string>& texts, Style style,
                         std::size_t width) {
  std::vector<Row> rows;
  for (const std::string& text : texts)
    append(rows, wrap(Row(" ").add(mark).add(" "), clip(text, 1000), style, 3, width - 1));
  for (Row& row : rows) row = row.fitted(width);
  return rows;
}

Row step_row(const PlanView::Step& step, const PlanView& view, std::size_t width) {
  const bool at_work = step.active && view.phase != Phase::done;
  const Style style = at_work                                 ? turn_of(view).style
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

void cut(std::vector<Row>& rows, std::size_t height, std::size_t width) {
  if (rows.size() <= height) return;
  rows.resize(height);
  if (height > 1) rows.back() = Row("   …", Style::dim).fitted(width);
}

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

Row title_row(const PlanView& view, WallTime now, bool step, std::size_t width) {
  Row row(" ");
  row.add(view.feature.empty() ? "plan" : view.feature, Style::bold).add(" ");
  const Turn turn = turn_of(view);
  row.add(fmt::format(" {}{}{} ", turn.name, view.agent.empty() ? "" : " ", view.agent),
          turn.style.inverted());
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

std::vector<Row> panel(const PlanView& view, std::size_t width, std::size_t height) {
  std::vector<Row> rows;
  const auto section = [&](std::string_view name, Style style, const std::vector<Row>& body) {
    if (body.empty()) return;
    if (!rows.empty()) rows.push_back(Row().fitted(width));
    rows.push_back(Row(" ").add(name, style).fitted(width));
    append(rows, body);
  };
  std::vector<Row> problems = bullets(Row("!", kAlarm), view.problems, kAlarm, width), accept;
  if (const PlanView::Step* step = active_step(view))
    accept = bullets(Row("▫", Style::dim), step->acceptance, Style::plain, width);
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

std::vector<Row> question_block(const PlanView& view, std::size_t width, std::size_t height) {
  if (!view.question || height == 0) return {};
  const PlanView::Question& question = *view.question;
  const Asking asking = asking_of(question.kind);
  const bool by_agent = question.kind == plan::HaltKind::asked;
  const Style style = by_agent ? kUser : turn_of(view).style;
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
