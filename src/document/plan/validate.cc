#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "document/frontmatter.h"
#include "document/plan/plan_document.h"

namespace pf::document {
namespace {

constexpr std::size_t kShownSteps = 12;

std::string ids_of(const std::vector<Step>& steps) {
  std::vector<std::string> ids;
  for (const Step& step : steps)
    if (ids.size() < kShownSteps) ids.push_back(step.id);
  return join(ids, ", ") + (steps.size() > ids.size() ? ", …" : "");
}

// A setext heading: text with === or --- below it.
bool is_underline(const MarkdownLine& line) {
  const std::string_view text = line.content;
  return text.size() >= 2 && (text.find_first_not_of('=') == std::string_view::npos ||
                              text.find_first_not_of('-') == std::string_view::npos);
}

struct Heading {
  int line;
  std::size_t level;
  std::string text;
  bool filled = false;  // something stands below it
};

struct Outline {
  std::vector<Heading> headings;
  int open_fence = 0;
};

Outline outline_of(std::string_view body, int first_line) {
  Outline outline;
  HiddenLines hidden;
  MarkdownLine above;
  for (const TextLine& line : lines_of(body)) {
    const int number = line.number + first_line - 1;
    const bool hides = hidden.hides(line);
    const MarkdownLine form = markdown_line(line.text);
    if (!hides && form.kind == LineKind::heading) {
      outline.headings.push_back({number, form.level, std::string(form.content)});
    } else if (!hides && is_underline(form) && above.kind == LineKind::text) {
      const std::size_t level = form.content[0] == '=' ? 1 : 2;
      outline.headings.push_back({number - 1, level, std::string(above.content)});
    } else if (form.kind != LineKind::blank && !outline.headings.empty()) {
      outline.headings.back().filled = true;
    }
    above = hides ? MarkdownLine{} : form;
  }
  outline.open_fence = hidden.open_fence();
  if (outline.open_fence != 0) outline.open_fence += first_line - 1;
  return outline;
}

void check_sections(const Outline& outline, std::vector<Problem>& problems) {
  const auto& all = outline.headings;
  const bool titled = !all.empty() && !all.front().text.empty();
  if (!titled)
    problems.push_back(
        {all.empty() ? 1 : all.front().line, "there is no title", "begin with a line `# Title`"});
  for (std::size_t i = 0; i < all.size() && problems.size() < kMostProblems; ++i) {
    const bool has_parts = i + 1 < all.size() && all[i + 1].level > all[i].level;
    if (all[i].filled || has_parts) continue;
    problems.push_back({all[i].line,
                        fmt::format("the section “{}” is empty", clip(printable(all[i].text), 60)),
                        "write something below its heading, or take the heading out"});
  }
}

// "the steps may be the headings from line 9 on (2 of them) or the numbered list from …"
Problem several_ways(const std::vector<StepsRead>& ways) {
  std::vector<std::string> found;
  for (const StepsRead& way : ways)
    found.push_back(fmt::format("the {} from line {} on ({} of them)", way.form,
                                way.steps.front().line, way.count));
  return {ways.front().steps.front().line, fmt::format("the steps may be {}", join(found, ", or ")),
          "say " + choices_of(ways)};
}

}  // namespace

std::vector<Problem> validate_plan(std::string_view text, std::string_view form) {
  const auto plan = read_plan(text, form);
  if (!plan) return {plan.error()};
  std::vector<Problem> problems;
  if (plan->steps.empty())
    problems.push_back({1, "the plan has no steps",
                        "write each as a heading `## Step 1: title`, or as `- Step 1: title`"});
  if (plan->count > kMaxSteps) {
    problems.push_back(
        {1, fmt::format("the plan has {} steps, and a plan has at most {}", plan->count, kMaxSteps),
         "split it into several plans"});
    return problems;
  }
  if (!plan->ways.empty()) {
    problems.push_back(several_ways(plan->ways));
    return problems;
  }
  std::map<std::string_view, int> lines;
  for (const Step& step : plan->steps) {
    if (problems.size() >= kMostProblems) break;
    const auto [first, is_new] = lines.emplace(step.id, step.line);
    if (step.id.empty())
      problems.push_back(
          {step.line, "a step has neither a number nor a title", "write it as `Step 1: title`"});
    else if (!is_new)
      problems.push_back(
          {step.line,
           fmt::format("step {} is there twice, first on line {}", printable(step.id),
                       first->second),
           "give every step a number of its own, for example as `## Step 2: title`"});
  }
  if (plan->named && plan->active.empty() && !plan->steps.empty())
    problems.push_back({plan->named_line,
                        fmt::format("active_step is `{}`, which is no step of the plan",
                                    clip(printable(*plan->named), 60)),
                        fmt::format("the steps are {}", printable(ids_of(plan->steps)))});
  return problems;
}

std::vector<Problem> validate_spec(std::string_view text) {
  if (const auto sound = check_text(text, "specifications"); !sound) return {sound.error()};
  const auto front = read_frontmatter(text);
  if (!front) return {front.error()};
  const Outline outline = outline_of(text.substr(front->body), front->body_line);
  std::vector<Problem> problems;
  if (outline.open_fence != 0)
    problems.push_back({outline.open_fence, "the code block that begins here is not closed",
                        "close it with a line of the same marks"});
  check_sections(outline, problems);
  return problems;
}

}  // namespace pf::document
