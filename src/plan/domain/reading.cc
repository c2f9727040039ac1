#include "plan/domain/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "document/lines.h"

namespace pf::plan {
namespace {

using document::PlanDocument;
using document::Step;

// The steps of the document and what the log knows of them: by title where only one has it on both
// sides, else by id.
class Known {
 public:
  Known(const State& state, const PlanDocument& plan) : state_(state) {
    for (const Step& step : plan.steps) {
      const std::string title = document::slug_of(step.title);
      ++found_[title];
      ids_[step.title].push_back(step.id);
    }
    for (const StepState& step : state.steps)
      logged_[document::slug_of(step.title)].push_back(&step);
  }
  // Null for a new one.
  const StepState* of(const Step& step) const {
    const std::string title = document::slug_of(step.title);
    const auto logged = logged_.find(title);
    if (!title.empty() && found_.at(title) == 1 && logged != logged_.end() &&
        logged->second.size() == 1)
      return logged->second.front();
    const StepState* same = state_.find(step.id);
    if (same == nullptr || same->title.empty()) return same;
    // It is another one when its title has gone elsewhere.
    const auto elsewhere = ids_.find(same->title);
    const bool gone = elsewhere != ids_.end() &&
                      std::ranges::any_of(elsewhere->second,
                                          [&](const std::string& id) { return id != step.id; });
    return gone ? nullptr : same;
  }

 private:
  const State& state_;
  std::map<std::string, int> found_;                     // titles of the document
  std::map<std::string, std::vector<std::string>> ids_;  // of its steps, by title
  std::map<std::string, std::vector<const StepState*>> logged_;
};

std::optional<Problem> unreadable(const FileFact& file) {
  if (file.trouble.empty()) return std::nullopt;
  return Problem{1, "it cannot be read: " + file.trouble, "put a text file of at most 1 MiB there"};
}

bool is_due(const State& state, const std::string& step) {
  return state.write && contains(state.write->marks, step, &StepMark::step);
}

// The steps that would have been reviewed yet, and by this document would not.
std::vector<Problem> reviews_lost(const State& state, const PlanDocument& plan) {
  constexpr std::string_view kFix =
      "put it back; if it was the user: pairflow plan pause, then resume --take-edit";
  const std::vector<StepState> now = steps_now(state, plan);
  const Known known(state, plan);
  std::map<const StepState*, std::size_t> places;
  for (std::size_t i = plan.steps.size(); i-- > 0;) places[known.of(plan.steps[i])] = i;
  std::vector<Problem> problems;
  for (const StepState& step : state.steps) {
    if (step.status == StepStatus::done) continue;
    const auto at = places.find(&step);
    const std::string name =
        fmt::format("step {}{}", step.id, step.title.empty() ? "" : ": " + clip(step.title, 80));
    if (at == places.end())
      problems.push_back(
          {1, fmt::format("{} is gone and was not reviewed yet", name), std::string(kFix)});
    else if (now[at->second].status == StepStatus::done)
      problems.push_back(
          {1, fmt::format("{} is called done and was not approved", name), std::string(kFix)});
  }
  return problems;
}

}  // namespace

Reading read_documents(const std::vector<FileFact>& files, std::string_view form) {
  Reading reading;
  reading.form = form;
  reading.problems = {{1, "there is no such file", "write the plan: pairflow plan init"}};
  for (const FileFact& file : files) {
    if (!file.exists) continue;
    if (file.name == kPlanFile) {
      reading.text = file.text;
      reading.hash = file.hash;
      const auto odd = unreadable(file);
      reading.problems = odd ? std::vector{*odd} : document::validate_plan(file.text, form);
      if (reading.sound()) reading.plan = *document::read_plan(file.text, form);
    } else if (file.name == kSpecFile) {
      reading.spec = file.hash;
      reading.spec_problems = spec_problems(file);
    }
  }
  return reading;
}

Reading read_at_first(const std::vector<FileFact>& files, std::string_view word) {
  if (word.empty()) return read_documents(files, {});
  const FileFact* plan = find_in(files, kPlanFile, &FileFact::name);
  if (plan == nullptr || !plan->exists || unreadable(*plan)) return read_documents(files, {});
  const auto form = document::form_meant(plan->text, word);
  if (form) return read_documents(files, *form);
  Reading reading = read_documents(files, {});
  reading.problems = {form.error()};
  return reading;
}

std::vector<Problem> spec_problems(const FileFact& file) {
  const auto odd = unreadable(file);
  return odd ? std::vector{*odd} : document::validate_spec(file.text);
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
  const Known known(state, plan);
  std::vector<StepState> steps;
  for (const Step& step : plan.steps) {
    StepState now{step.id, step.title};
    if (const StepState* before = known.of(step)) {
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
    const bool is_done = before || step.checked;
    now.status = plan.mark_of(step.id).value_or(is_done ? StepStatus::done : StepStatus::pending);
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
  const auto text = document::rewrite_plan(reading->text, change, reading->form);
  if (!text) return std::nullopt;
  RegisterWrite write{
      {reading->hash, hash_of(*text)}, change.active.value_or(""), plan.active, change.marks};
  if (state.write) write.follows(*state.write);
  if (write.before == write.after && !state.write) return std::nullopt;
  return write;
}

}  // namespace pf::plan
