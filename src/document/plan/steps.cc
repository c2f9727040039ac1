#include "document/plan/steps.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "document/plan/families.h"

namespace pf::document {
namespace {

std::string_view without_indent(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size() && at < columns && text[at] == ' ') ++at;
  return text.substr(at);
}

std::string body_of(const std::vector<PlanLine>& lines, const Family& family, std::size_t start) {
  const PlanLine& head = lines[start];
  const std::size_t indent = head.form.is_item() ? head.form.content_indent : 0;
  const std::size_t end = end_of(lines, family, start);
  std::string body;
  for (std::size_t i = start + 1; i < end; ++i)
    if (!lines[i].underline) body += std::string(without_indent(lines[i].line.text, indent)) + "\n";
  const auto first = body.find_first_not_of('\n');
  if (first == std::string::npos) return {};
  return body.substr(first, body.find_last_not_of("\n \t") + 1 - first) + "\n";
}

Step step_at(const std::vector<PlanLine>& lines, const Family& family, std::size_t start,
             int first_line) {
  const PlanLine& line = lines[start];
  Step step;
  step.line = line.line.number + first_line - 1;
  step.checked = line.front.checked;
  if (!family.word.empty()) {
    step.id = line.label.number;
    step.title = line.label.title;
  } else if (family.kind == FamilyKind::numbered) {
    step.id = step_number(line.form.number);
    step.title = title_of(without_checkbox(line.form.content));
  } else if (line.number.found && !line.form.is_item()) {
    step.id = line.number.number;
    step.title = line.number.title;
  } else {
    step.title = title_of(without_checkbox(line.form.content));
  }
  step.body = body_of(lines, family, start);
  step.acceptance = acceptance_in(step.body);
  return step;
}

// `1.` `1.` `1.`: Markdown counts them itself.
void count_when_all_alike(std::vector<Step>& steps) {
  const auto alike = [&](const Step& step) { return step.id == steps.front().id; };
  if (steps.size() < 2 || steps.front().id.empty() || !std::ranges::all_of(steps, alike)) return;
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].id = std::to_string(i + 1);
}

// Steps without a number go by their title; of boxes and bullets with one title, each by its own.
void name_by_title(std::vector<Step>& steps, bool apart) {
  std::map<std::string, int> seen;
  for (Step& step : steps) {
    if (!step.id.empty()) continue;
    step.id = slug_of(step.title);
    if (const int times = ++seen[step.id]; apart && times > 1)
      step.id += "-" + std::to_string(times);
  }
}

StepsRead read_family(const std::vector<PlanLine>& lines, const Family& family, int first_line) {
  StepsRead read{family.form(), family.starts.size(), {}};
  for (const std::size_t start : family.starts)
    if (read.steps.size() <= kMaxSteps)
      read.steps.push_back(step_at(lines, family, start, first_line));
  if (family.word.empty()) count_when_all_alike(read.steps);
  name_by_title(read.steps, family.word.empty());
  return read;
}

// As the first releases did.
std::vector<Family> first_family(std::vector<Family> families) {
  const auto is_known = [](const Family& family) {
    return (family.is_step() && family.kind != FamilyKind::bold) ||
           family.kind == FamilyKind::numbered;
  };
  std::erase_if(families, [&](const Family& family) { return !is_known(family); });
  std::ranges::stable_sort(families, {}, &Family::kind);
  if (families.size() > 1) families.resize(1);
  return families;
}

bool is_alike(std::string_view form, std::string_view other) {
  const auto last_word = [](std::string_view text) { return text.substr(text.rfind(' ') + 1); };
  return last_word(form) == last_word(other);
}

// The family of that form, of those that compete if it is there; else one like it.
std::vector<Family> of_form(const std::vector<PlanLine>& lines, std::string_view form) {
  const auto all = families_of(lines);
  const auto ways = competing(lines, all);
  const auto same = [&](const Family& family) { return family.form() == form; };
  const auto alike = [&](const Family& family) { return is_alike(family.form(), form); };
  for (const auto& families : {ways, all})
    if (const auto at = std::ranges::find_if(families, same); at != families.end()) return {*at};
  for (const auto& families : {ways, all})
    if (const auto at = std::ranges::find_if(families, alike); at != families.end()) return {*at};
  return ways.empty() ? ways : std::vector{ways.front()};
}

}  // namespace

std::vector<StepsRead> ways_of(std::string_view body, int first_line, std::string_view form) {
  const auto lines = plan_lines(body);
  const auto families = form.empty()          ? competing(lines, families_of(lines))
                        : form == kFirstForms ? first_family(families_of(lines))
                                              : of_form(lines, form);
  std::vector<StepsRead> ways;
  for (const Family& family : families) ways.push_back(read_family(lines, family, first_line));
  return ways;
}

std::vector<Step> steps_of(std::string_view body, int first_line) {
  auto ways = ways_of(body, first_line);
  return ways.empty() ? std::vector<Step>{} : std::move(ways.front().steps);
}

const StepsRead* find_way(const std::vector<StepsRead>& ways, std::string_view word) {
  const StepsRead* found = nullptr;
  for (const StepsRead& way : ways) {
    if (way.form == word) return &way;
    if (!way.form.ends_with(word) || word.empty()) continue;
    if (way.form[way.form.size() - word.size() - 1] != ' ') continue;
    if (found != nullptr) return nullptr;
    found = &way;
  }
  return found;
}

std::string word_for(const std::vector<StepsRead>& ways, const StepsRead& way) {
  const std::string last = way.form.substr(way.form.rfind(' ') + 1);
  return find_way(ways, last) == &way ? last : way.form;
}

std::string choice_of(const std::vector<StepsRead>& ways, const StepsRead& way) {
  const std::string word = word_for(ways, way);
  return "--steps " + (word.find(' ') == std::string::npos ? word : "\"" + word + "\"");
}

std::string choices_of(const std::vector<StepsRead>& ways) {
  std::vector<std::string> choices;
  for (const StepsRead& way : ways) choices.push_back(choice_of(ways, way));
  return join(choices, ", or ");
}

const Step* find_step(const std::vector<Step>& steps, std::string_view wanted) {
  wanted = trim(wanted);
  const StepLabel label = step_label(wanted);
  std::string id = step_number(wanted);
  if (id.empty() && label.found && label.title.empty()) id = label.number;
  if (id.empty()) id = lower(wanted);
  if (const auto at = std::ranges::find(steps, id, &Step::id); at != steps.end()) return &*at;
  const std::string slug = slug_of(wanted);
  if (slug.empty()) return nullptr;
  const Step* found = nullptr;
  for (const Step& step : steps) {
    const std::string title = slug_of(step.title);
    const std::string numbered = slug_of(step.id + " " + step.title);
    if (slug != title && slug != numbered && slug != slug_of("step " + step.id + " " + step.title))
      continue;
    if (found != nullptr) return nullptr;
    found = &step;
  }
  return found;
}

}  // namespace pf::document
