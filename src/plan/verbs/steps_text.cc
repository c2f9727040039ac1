#include "plan/verbs/steps_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/domain/reading.h"

namespace pf {
namespace {

constexpr std::size_t kShownTitle = 200;

std::string step_line(const document::Step& step) {
  return fmt::format("  {}  {}{}\n", printable(step.id), clip(printable(step.title), kShownTitle),
                     step.checked ? " (ticked)" : "");
}

}  // namespace

std::string steps_text(const std::vector<document::Step>& steps) {
  std::string out;
  for (const document::Step& step : steps) {
    out += step_line(step);
    for (const std::string& criterion : step.acceptance)
      out += fmt::format("      · {}\n", clip(printable(criterion), kShownTitle));
  }
  return out;
}

std::string ways_text(const std::vector<document::StepsRead>& ways) {
  std::string out;
  for (const document::StepsRead& way : ways) {
    const std::string some =
        way.count == 1 ? "only step is" : fmt::format("{} steps are", way.count);
    out += fmt::format("  with {} the {}:\n", document::choice_of(ways, way), some);
    for (const document::Step& step : way.steps)
      out += fmt::format("    line {}:{}", step.line, step_line(step).substr(1));
  }
  return out;
}

JsonArray ways_json(const std::vector<document::StepsRead>& ways) {
  JsonArray json;
  for (const document::StepsRead& way : ways)
    json.push_back(JsonObject{{"steps", document::word_for(ways, way)},
                              {"form", way.form},
                              {"found", codec::encode(way.steps)}});
  return json;
}

Status check_steps(PlanLoop& loop, const std::string& word) {
  const FileFact file = TRY(loop.document(plan::Workspace::repo, "plan.md"));
  const auto plan = document::read_plan(file.text);
  if (!file.trouble.empty() || !plan || plan->ways.empty()) return {};
  if (document::find_way(plan->ways, word) != nullptr) return {};
  std::string listed = ways_text(plan->ways);
  listed.pop_back();
  return fail(Exit::refused, "it is not clear which lines of plan.md are its steps",
              "there are several that may be:\n" + listed,
              fmt::format("pairflow plan run {} {}", loop.paths().feature.str(),
                          document::choices_of(plan->ways)));
}

Status check_steps(const plan::State& state, const std::string& word) {
  const std::vector<document::StepsRead> settled{{std::string(form_of(state)), 0, {}}};
  if (word.empty() || document::find_way(settled, word) != nullptr) return {};
  return fail(Exit::refused, "what the steps are is settled when a plan is opened",
              fmt::format("this one is under way with its {}",
                          state.form.empty() ? "steps as they were read then" : state.form),
              fmt::format("leave --steps out: pairflow plan run {}", state.feature.str()));
}

Result<std::string> added_steps_text(PlanLoop& loop, const plan::State& state) {
  const bool through = state.phase == plan::Phase::done ||
                       (state.halt && state.halt->kind == plan::HaltKind::no_pending_steps);
  if (!through) return "";
  const auto reading =
      plan::read_documents({TRY(loop.document(state.policy.workspace, "plan.md"))}, form_of(state));
  if (!reading.sound()) return "";
  std::vector<std::string> open;
  for (const plan::StepState& step : plan::steps_now(state, reading.plan))
    if (step.status != plan::StepStatus::done)
      open.push_back(fmt::format("{} ({})", step.id, clip(step.title, 60)));
  if (open.empty()) return "";
  return fmt::format("plan.md has {} not done yet: {}; go on with: pairflow plan resume {}\n",
                     open.size() == 1 ? "a step that is" : "steps that are", name_some(open, 5),
                     state.feature.str());
}

}  // namespace pf
