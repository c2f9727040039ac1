#include "document/plan/plan_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "document/frontmatter.h"

// How it works. Every change is a replacement of a span of the text, so all other bytes stay by
// construction. Whatever YAML could make of the result is settled by reading it again.
namespace pf::document {
namespace {

constexpr std::string_view kActiveKey = "active_step";
constexpr std::string_view kStatusKey = "step_status";

struct PlanKeys {
  const YamlPair* active = nullptr;
  const YamlNode* statuses = nullptr;  // a mapping
};
// The keys that mean something to us; refuses forms whose value could not be replaced.
Read<PlanKeys> plan_keys(const Frontmatter& front) {
  PlanKeys keys;
  keys.active = front.keys.find(kActiveKey);
  if (keys.active != nullptr && !is_word(keys.active->value))
    return trouble(keys.active->line, "active_step is not one step's id",
                   "write it on one line, for example `active_step: \"2\"`");
  if (const YamlPair* statuses = front.keys.find(kStatusKey)) {
    if (statuses->value.kind == YamlNode::Kind::mapping)
      keys.statuses = &statuses->value;
    else if (!statuses->value.is_null())
      return trouble(statuses->line, "step_status is no map of steps",
                     "write a line `\"1\": done` for each step below it, or leave the key out");
  }
  return keys;
}

std::optional<StepStatus> parse_status(std::string_view word) {
  std::string text(trim(word));
  std::ranges::replace(text, '_', '-');
  return parse_name<StepStatus>(text);
}

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

struct Edit {
  Span span;
  std::string text;
};

// A word that YAML could take for something else than text is quoted.
bool is_plain_word(std::string_view word) {
  constexpr std::array<std::string_view, 9> kMeaningful = {"null", "true", "false", "yes", "no",
                                                           "on",   "off",  "y",     "n"};
  const auto is_safe = [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
  };
  return !word.empty() && word[0] != '-' && word[0] != '.' && std::ranges::all_of(word, is_safe) &&
         std::ranges::find(kMeaningful, word) == kMeaningful.end();
}

Edit replace_value(const YamlNode& node, std::string_view word) {
  if (node.span.begin == node.span.end) return {node.span, fmt::format(" \"{}\"", word)};
  if (node.quotes == Quotes::single_) return {node.span, fmt::format("'{}'", word)};
  const bool plain = node.quotes == Quotes::plain && !node.is_null() && is_plain_word(word);
  return {node.span, plain ? std::string(word) : fmt::format("\"{}\"", word)};
}

std::size_t column_of(std::string_view text, std::size_t at) {
  return at == 0 ? 0 : at - (text.rfind('\n', at - 1) + 1);
}

Edit add_active(std::string_view text, const Frontmatter& front, std::string_view id) {
  const std::string line = fmt::format("{}: \"{}\"", kActiveKey, id);
  const std::string end(line_end_of(text));
  const Span at{front.inner, front.inner};
  if (!front.present) return {at, fmt::format("---{0}{1}{0}---{0}", end, line)};
  if (front.keys.flow) {
    const std::size_t brace = front.keys.span.begin + 1;
    return {{brace, brace}, fmt::format("{}{}", line, front.keys.pairs.empty() ? "" : ", ")};
  }
  const std::size_t indent =
      front.keys.pairs.empty() ? 0 : column_of(text, front.keys.pairs.front().key_span.begin);
  return {at, std::string(indent, ' ') + line + end};
}

// One more entry of a map that is there; behind its last one, in the same form.
std::optional<Edit> add_mark(std::string_view text, const YamlNode& map, const StepMark& mark) {
  const std::string entry = fmt::format("\"{}\": {}", mark.step, name_of(mark.status));
  if (map.flow) {
    const std::size_t at = map.pairs.empty() ? map.span.begin + 1 : map.pairs.back().value.span.end;
    return Edit{{at, at}, (map.pairs.empty() ? "" : ", ") + entry};
  }
  if (map.pairs.empty()) return std::nullopt;
  const std::size_t indent = column_of(text, map.pairs.front().key_span.begin);
  const auto newline = text.find('\n', map.pairs.back().value.span.end);
  if (newline == std::string_view::npos) return std::nullopt;
  const std::string end(line_end_of(text));
  return Edit{{newline + 1, newline + 1}, std::string(indent, ' ') + entry + end};
}

std::optional<Edit> edit_mark(std::string_view text, const YamlNode& map, const PlanDocument& plan,
                              const StepMark& mark) {
  for (const YamlPair& pair : map.pairs) {
    const Step* step = find_step(plan.steps, pair.key);
    if (step == nullptr || step->id != mark.step) continue;
    const YamlNode& value = pair.value;
    if (!is_word(value)) return std::nullopt;
    if (parse_status(value.value) == mark.status) return std::nullopt;
    return replace_value(value, name_of(mark.status));
  }
  return add_mark(text, map, mark);
}

std::string applied(std::string_view text, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, {}, [](const Edit& edit) { return edit.span.begin; });
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += text.substr(at, edit.span.begin - at);
    out += edit.text;
    at = edit.span.end;
  }
  return out + std::string(text.substr(at));
}

bool same(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.value == b.value && a.quotes == b.quotes &&
         std::ranges::equal(a.pairs, b.pairs, [](const YamlPair& x, const YamlPair& y) {
           return x.key == y.key && same(x.value, y.value);
         });
}

// The keys that are nobody's business but the writer's, read again, are what they were.
bool others_stayed(const Frontmatter& before, const Frontmatter& after) {
  const auto others = [](YamlNode keys) {
    std::erase_if(keys.pairs, [](const YamlPair& pair) {
      return pair.key == kActiveKey || pair.key == kStatusKey;
    });
    return keys;
  };
  return same(others(before.keys), others(after.keys));
}

bool came_out(std::string_view text, const Frontmatter& before, const PlanDocument& old_plan,
              const PlanChange& change, std::string_view form) {
  const auto front = read_frontmatter(text);
  const auto plan = read_plan(text, form);
  if (!front || !plan || !others_stayed(before, *front)) return false;
  if (change.active && (!plan->named || plan->active != *change.active)) return false;
  return plan->steps.size() == old_plan.steps.size();
}

}  // namespace

const Step* PlanDocument::step(std::string_view id) const {
  const auto at = std::ranges::find(steps, id, &Step::id);
  return at == steps.end() ? nullptr : &*at;
}

std::optional<StepStatus> PlanDocument::mark_of(std::string_view id) const {
  const auto at = std::ranges::find(marks, id, &StepMark::step);
  return at == marks.end() ? std::nullopt : std::optional(at->status);
}

Read<PlanDocument> read_plan(std::string_view text, std::string_view form) {
  TRY(check_text(text, "plans"));
  const Frontmatter front = TRY(read_frontmatter(text));
  const PlanKeys keys = TRY(plan_keys(front));
  PlanDocument plan;
  auto ways = ways_of(text.substr(front.body), front.body_line, form);
  if (ways.size() > 1) plan.ways = ways;
  if (!ways.empty()) {
    plan.form = ways.front().form;
    plan.count = ways.front().count;
    plan.steps = std::move(ways.front().steps);
  }
  if (keys.active != nullptr) {
    plan.named_line = keys.active->line;
    const auto name = trim(keys.active->value.value);
    if (!keys.active->value.is_null() && !name.empty()) plan.named = std::string(name);
  }
  plan.marks = marks_in(keys, plan.steps);
  plan.active = active_of(plan);
  return plan;
}

Read<std::string> form_meant(std::string_view text, std::string_view word) {
  const PlanDocument plan = TRY(read_plan(text));
  if (!plan.ways.empty()) {
    if (const StepsRead* way = find_way(plan.ways, word)) return way->form;
    return trouble(
        1, fmt::format("`{}` does not say which ones are the steps", clip(printable(word), 60)),
        "say " + choices_of(plan.ways));
  }
  const PlanDocument meant = TRY(read_plan(text, word));
  const std::vector<StepsRead> only{{meant.form, meant.count, {}}};
  if (find_way(only, word) != nullptr) return meant.form;
  return trouble(1, fmt::format("there are no steps in the form `{}`", clip(printable(word), 60)),
                 plan.steps.empty() ? "" : fmt::format("its steps are read as {}", plan.form));
}

Read<std::string> rewrite_plan(std::string_view text, const PlanChange& change,
                               std::string_view form) {
  const PlanDocument plan = TRY(read_plan(text, form));
  const Frontmatter front = TRY(read_frontmatter(text));
  const PlanKeys keys = TRY(plan_keys(front));
  std::vector<Edit> edits;
  if (change.active && plan.step(*change.active) == nullptr)
    return trouble(plan.named_line, fmt::format("there is no step `{}`", *change.active));
  const bool says_so = plan.named && plan.active == change.active;
  if (change.active && !says_so)
    edits.push_back(keys.active != nullptr ? replace_value(keys.active->value, *change.active)
                                           : add_active(text, front, *change.active));
  if (keys.statuses != nullptr)
    for (const StepMark& mark : change.marks)
      if (auto edit = edit_mark(text, *keys.statuses, plan, mark)) edits.push_back(*edit);
  std::string result = applied(text, std::move(edits));
  if (result == text || came_out(result, front, plan, change, form)) return result;
  if (!change.marks.empty()) return rewrite_plan(text, {change.active, {}}, form);
  return trouble(plan.named_line, "active_step cannot be changed in this form of frontmatter",
                 "write it as a line of its own: `active_step: \"1\"`");
}

}  // namespace pf::document
