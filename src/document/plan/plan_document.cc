#include "document/plan/plan_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "document/plan/plan_keys.h"

namespace pf::document {

const Step* PlanDocument::step(std::string_view id) const {
  const auto at = std::ranges::find(steps, id, &Step::id);
  return at == steps.end() ? nullptr : &*at;
}

std::optional<StepStatus> PlanDocument::mark_of(std::string_view id) const {
  const auto at = std::ranges::find(marks, id, &StepMark::step);
  return at == marks.end() ? std::nullopt : std::optional(at->status);
}

namespace {

std::vector<StepMark> marks_in(const PlanKeys& keys, const std::vector<Step>& steps) {
  std::vector<StepMark> marks;
  if (keys.statuses == nullptr) return marks;
  for (const YamlPair& pair : keys.statuses->pairs) {
    const Step* step = find_step(steps, pair.key);
    const auto status = parse_status(pair.value.value);
    if (step != nullptr && status && is_word(pair.value)) marks.push_back({step->id, *status});
  }
  return marks;
}

std::string active_of(const PlanDocument& plan) {
  if (plan.named) {
    const Step* step = find_step(plan.steps, *plan.named);
    return step == nullptr ? "" : step->id;
  }
  for (const Step& step : plan.steps)
    if (plan.mark_of(step.id) != StepStatus::done) return step.id;
  return plan.steps.empty() ? "" : plan.steps.front().id;
}

}  // namespace

std::optional<StepStatus> parse_status(std::string_view word) {
  std::string text(trim(word));
  std::ranges::replace(text, '_', '-');
  return parse_name<StepStatus>(text);
}

Read<PlanDocument> read_plan(std::string_view text) {
  if (text.size() > kMaxDocument)
    return trouble(1, "the file is too large", "keep plans below 1 MiB");
  if (!is_utf8(text)) return trouble(first_bad_line(text), "not UTF-8", "save the file as UTF-8");
  auto front = read_frontmatter(text);
  if (!front) return std::unexpected(std::move(front.error()));
  auto keys = plan_keys(*front);
  if (!keys) return std::unexpected(std::move(keys.error()));
  PlanDocument plan;
  plan.steps = steps_of(text.substr(front->body), front->body_line);
  if (keys->active != nullptr) {
    plan.named_line = keys->active->line;
    if (!keys->active->value.is_null()) plan.named = std::string(trim(keys->active->value.value));
    if (plan.named && plan.named->empty()) plan.named.reset();
  }
  plan.marks = marks_in(*keys, plan.steps);
  plan.active = active_of(plan);
  return plan;
}

}  // namespace pf::document
