#include "document/plan/steps.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "document/lines.h"

namespace pf::document {
namespace {

enum class Family { headings, labelled_items, numbered_items };

struct Seen {
  TextLine line;
  MarkdownLine form;
  StepLabel label = {};
  bool hidden = false;  // code, comments
  bool nested = false;  // in a bullet
};

std::vector<Seen> look_at(std::string_view body) {
  std::vector<Seen> all;
  HiddenLines hidden;
  std::size_t bullet = std::numeric_limits<std::size_t>::max();  // content indent of the open one
  for (const TextLine& line : lines_of(body)) {
    Seen seen{line, markdown_line(line.text)};
    seen.hidden = hidden.hides(line);
    if (!seen.hidden && seen.form.kind != LineKind::blank) {
      if (seen.form.indent < bullet) bullet = std::numeric_limits<std::size_t>::max();
      seen.nested = seen.form.indent >= bullet;
      if (seen.form.kind == LineKind::bullet && !seen.nested) bullet = seen.form.indent + 2;
      if (seen.form.kind == LineKind::heading || seen.form.is_item())
        seen.label = step_label(without_checkbox(seen.form.content));
    }
    all.push_back(std::move(seen));
  }
  return all;
}

bool is_of(const Seen& seen, Family family) {
  if (seen.hidden) return false;
  switch (family) {
    case Family::headings: return seen.form.kind == LineKind::heading && seen.label.found;
    case Family::labelled_items: return seen.form.is_item() && seen.label.found;
    case Family::numbered_items: return seen.form.kind == LineKind::ordered && !seen.nested;
  }
  return false;
}

std::size_t depth(const Seen& seen, Family family) {
  return family == Family::headings ? seen.form.level : seen.form.indent;
}

// The lines below a heading "Steps", else all.
std::pair<std::size_t, std::size_t> steps_section(const std::vector<Seen>& all) {
  const auto is_heading = [](const Seen& seen) {
    return !seen.hidden && seen.form.kind == LineKind::heading;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_heading(all[i]) || lower(all[i].form.content) != "steps") continue;
    std::size_t end = i + 1;
    while (end < all.size() && !(is_heading(all[end]) && all[end].form.level <= all[i].form.level))
      ++end;
    return {i + 1, end};
  }
  return {0, all.size()};
}

// Where the steps begin, by the rule of the header.
std::vector<std::size_t> starts_of(const std::vector<Seen>& all, Family family) {
  const auto [begin, end] =
      family == Family::numbered_items ? steps_section(all) : std::pair{std::size_t{0}, all.size()};
  std::size_t highest = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = begin; i < end; ++i)
    if (is_of(all[i], family)) highest = std::min(highest, depth(all[i], family));
  std::vector<std::size_t> starts;
  for (std::size_t i = begin; i < end; ++i)
    if (is_of(all[i], family) && depth(all[i], family) == highest) starts.push_back(i);
  return starts;
}

// The first line that no longer belongs to the step which begins at `start`.
std::size_t end_of(const std::vector<Seen>& all, std::size_t start, Family family) {
  const MarkdownLine& head = all[start].form;
  bool after_blank = false;
  for (std::size_t i = start + 1; i < all.size(); ++i) {
    const MarkdownLine& form = all[i].form;
    if (all[i].hidden) continue;
    if (form.kind == LineKind::heading && (family != Family::headings || form.level <= head.level))
      return i;
    if (family != Family::headings && form.kind != LineKind::blank && form.indent <= head.indent &&
        (after_blank || form.is_item()))
      return i;
    after_blank = form.kind == LineKind::blank;
  }
  return all.size();
}

std::string_view without_indent(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size() && at < columns && text[at] == ' ') ++at;
  return text.substr(at);
}

std::string body_of(const std::vector<Seen>& all, std::size_t start, std::size_t end) {
  const std::size_t indent =
      all[start].form.kind == LineKind::heading ? 0 : all[start].form.content_indent;
  std::string body;
  for (std::size_t i = start + 1; i < end; ++i)
    body += std::string(without_indent(all[i].line.text, indent)) + "\n";
  const auto first = body.find_first_not_of('\n');
  if (first == std::string::npos) return {};
  return body.substr(first, body.find_last_not_of("\n \t") + 1 - first) + "\n";
}

Step step_at(const std::vector<Seen>& all, std::size_t start, Family family, int first_line) {
  const Seen& seen = all[start];
  Step step;
  step.line = seen.line.number + first_line - 1;
  if (family == Family::numbered_items) {
    step.id = step_number(seen.form.number);
    step.title = step_label("step 0: " + std::string(without_checkbox(seen.form.content))).title;
  } else {
    step.title = seen.label.title;
    step.id = seen.label.number.empty() ? slug_of(step.title) : seen.label.number;
  }
  step.body = body_of(all, start, end_of(all, start, family));
  step.acceptance = acceptance_in(step.body);
  return step;
}

// `1.` `1.` `1.`: Markdown counts them itself.
void count_when_all_alike(std::vector<Step>& steps) {
  const auto alike = [&](const Step& step) { return step.id == steps.front().id; };
  if (steps.size() < 2 || !std::ranges::all_of(steps, alike)) return;
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].id = std::to_string(i + 1);
}

}  // namespace

std::vector<Step> steps_of(std::string_view body, int first_line) {
  const auto all = look_at(body);
  for (const Family family : {Family::headings, Family::labelled_items, Family::numbered_items}) {
    const auto starts = starts_of(all, family);
    if (starts.empty()) continue;
    std::vector<Step> steps;
    for (const std::size_t start : starts)
      if (steps.size() <= kMaxSteps) steps.push_back(step_at(all, start, family, first_line));
    if (family == Family::numbered_items) count_when_all_alike(steps);
    return steps;
  }
  return {};
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
