#include "plan/domain/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "document/lines.h"

namespace pf::plan {
namespace {

using document::PlanDocument;
using document::Step;

bool is_only_one(const auto& all, const std::string& title) {
  return !title.empty() && std::ranges::count_if(all, [&](const auto& step) {
                             return document::slug_of(step.title) == title;
                           }) == 1;
}

// What the log knows of a step of the document; null for a new one.
const StepState* known(const State& state, const PlanDocument& plan, const Step& step) {
  const std::string title = document::slug_of(step.title);
  if (is_only_one(plan.steps, title) && is_only_one(state.steps, title))
    return &*std::ranges::find_if(
        state.steps, [&](const StepState& s) { return document::slug_of(s.title) == title; });
  const StepState* same = state.find(step.id);
  if (same == nullptr) return nullptr;
  // It is another one when its title has gone elsewhere.
  const bool elsewhere = std::ranges::any_of(plan.steps, [&](const Step& other) {
    return other.id != step.id && !same->title.empty() && other.title == same->title;
  });
  return elsewhere ? nullptr : same;
}

std::vector<Problem> problems_of(const FileFact& file,
                                 std::vector<Problem> (*validate)(std::string_view)) {
  if (!file.trouble.empty())
    return {{1, "it cannot be read: " + file.trouble, "put a text file of at most 1 MiB there"}};
  return validate(file.text);
}

bool is_due(const State& state, const std::string& step) {
  return state.write && contains(state.write->marks, step, &StepMark::step);
}

// The steps that would have been reviewed yet, and by this document would not.
std::vector<Problem> reviews_lost(const State& state, const PlanDocument& plan) {
  constexpr std::string_view kFix =
      "put it back; if it was the user: pairflow plan pause, then resume --take-edit";
  const std::vector<StepState> now = steps_now(state, plan);
  std::vector<Problem> problems;
  for (const StepState& step : state.steps) {
    if (step.status == StepStatus::done) continue;
    const auto at = std::ranges::find_if(
        plan.steps, [&](const Step& found) { return known(state, plan, found) == &step; });
    const std::string name =
        fmt::format("step {}{}", step.id, step.title.empty() ? "" : ": " + clip(step.title, 80));
    if (at == plan.steps.end())
      problems.push_back(
          {1, fmt::format("{} is gone and was not reviewed yet", name), std::string(kFix)});
    else if (now[static_cast<std::size_t>(at - plan.steps.begin())].status == StepStatus::done)
      problems.push_back(
          {1, fmt::format("{} is called done and was not approved", name), std::string(kFix)});
  }
  return problems;
}

}  // namespace

Reading read_documents(const std::vector<FileFact>& files) {
  Reading reading;
  reading.problems = {{1, "there is no such file", "write the plan: pairflow plan init"}};
  for (const FileFact& file : files) {
    if (!file.exists) continue;
    if (file.name == kPlanFile) {
      reading.text = file.text;
      reading.hash = file.hash;
      reading.problems = problems_of(file, document::validate_plan);
      if (reading.sound()) reading.plan = *document::read_plan(file.text);
    } else if (file.name == kSpecFile) {
      reading.spec = file.hash;
      reading.spec_problems = problems_of(file, document::validate_spec);
    }
  }
  return reading;
}

std::vector<Problem> plan_problems(const FileFact& file) {
  return problems_of(file, document::validate_plan);
}
std::vector<Problem> spec_problems(const FileFact& file) {
  return problems_of(file, document::validate_spec);
}

bool is_edited(const State& state, const Reading& reading) {
  if (reading.hash == state.plan) return false;
  return !state.write ||
         (!state.write->may_meet(reading.hash) && reading.hash != state.write->after);
}

int writer_at_work(const State& state) {
  const Run* run = state.live();
  const bool writes =
      run != nullptr && (run->role != Role::reviewer || run->enforcement != "sandbox");
  return writes ? run->number : 0;
}

void distrust(const State& state, Reading& reading) {
  if (!reading.sound() || !is_edited(state, reading)) return;
  const FileProblems* told = state.problems_of(kPlanFile);
  const bool was_told = told != nullptr && told->hash == reading.hash;
  if (was_told || writer_at_work(state) != 0) reading.problems = reviews_lost(state, reading.plan);
}

std::vector<StepState> steps_now(const State& state, const PlanDocument& plan) {
  std::vector<StepState> steps;
  for (const Step& step : plan.steps) {
    StepState now{step.id, step.title};
    if (const StepState* before = known(state, plan, step)) {
      now.status = before->status;
      now.change_requests = before->change_requests;
    }
    const auto mark = plan.mark_of(step.id);
    if (mark && !is_due(state, step.id)) now.status = *mark;
    steps.push_back(std::move(now));
  }
  return steps;
}

std::vector<StepState> steps_at_first(const PlanDocument& plan) {
  std::vector<StepState> steps;
  bool before = plan.named.has_value();
  for (const Step& step : plan.steps) {
    const bool active = step.id == plan.active;
    before = before && !active;
    StepState now{step.id, step.title};
    now.status = plan.mark_of(step.id).value_or(before ? StepStatus::done : StepStatus::pending);
    if (active && plan.named && now.status == StepStatus::done) now.status = StepStatus::pending;
    steps.push_back(std::move(now));
  }
  return steps;
}

std::string active_now(const State& state, const PlanDocument& plan) {
  const bool is_ours_to_replace =
      state.write && !state.write->active.empty() && plan.active == state.write->from;
  const bool keeps = !plan.named || is_ours_to_replace;
  return keeps && plan.step(state.step) != nullptr ? state.step : plan.active;
}

std::optional<RegisterWrite> write_for(const State& state, const Reading* reading,
                                       const std::vector<StepState>& steps,
                                       const std::string& active, bool names) {
  if (reading == nullptr || !reading->sound()) return std::nullopt;
  const PlanDocument& plan = reading->plan;
  if (plan.step(active) == nullptr) return std::nullopt;
  document::PlanChange change;
  if (names || plan.named || (state.write && !state.write->active.empty())) change.active = active;
  for (const StepState& step : steps)
    if (step.status != StepStatus::pending || plan.mark_of(step.id))
      change.marks.push_back({step.id, step.status});
  const auto text = document::rewrite_plan(reading->text, change);
  if (!text) return std::nullopt;
  RegisterWrite write{
      {reading->hash, hash_of(*text)}, change.active.value_or(""), plan.active, change.marks};
  if (state.write) write.follows(*state.write);
  if (write.before == write.after && !state.write) return std::nullopt;
  return write;
}

}  // namespace pf::plan
