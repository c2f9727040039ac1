#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "document/plan/plan_keys.h"

// How it works. Every change is a replacement of a span of the text, so all other bytes stay by
// construction. Whatever YAML could make of the result is settled by reading it again.
namespace pf::document {
namespace {

struct Edit {
  Span span;
  std::string text;
};

// A word that YAML could take for something else than text is quoted.
bool is_plain_word(std::string_view word) {
  constexpr std::array<std::string_view, 9> kMeaningful = {"null", "true", "false", "yes", "no",
                                                           "on",   "off",  "y",     "n"};
  const auto is_safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !word.empty() && word[0] != '-' && word[0] != '.' && std::ranges::all_of(word, is_safe) &&
         std::ranges::find(kMeaningful, word) == kMeaningful.end();
}

std::string quoted(std::string_view word, Quotes quotes) {
  if (quotes == Quotes::single_) return fmt::format("'{}'", word);
  if (quotes == Quotes::plain && is_plain_word(word)) return std::string(word);
  return fmt::format("\"{}\"", word);
}

std::string pair_text(std::string_view key, std::string_view value) {
  return fmt::format("{}: \"{}\"", key, value);
}

Edit replace_value(const YamlNode& node, std::string_view word) {
  const bool nothing = node.span.begin == node.span.end;
  if (nothing) return {node.span, fmt::format(" \"{}\"", word)};
  return {node.span, quoted(word, node.is_null() ? Quotes::double_ : node.quotes)};
}

std::size_t column_of(std::string_view text, std::size_t at) {
  const auto newline = text.rfind('\n', at == 0 ? 0 : at - 1);
  return newline == std::string_view::npos || newline >= at ? at : at - newline - 1;
}

Edit add_active(std::string_view text, const Frontmatter& front, std::string_view id) {
  const std::string line = pair_text(kActiveKey, id);
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
  std::vector<const YamlPair*> old_pairs, new_pairs;
  const auto others = [](const Frontmatter& front, std::vector<const YamlPair*>& into) {
    for (const YamlPair& pair : front.keys.pairs)
      if (pair.key != kActiveKey && pair.key != kStatusKey) into.push_back(&pair);
  };
  others(before, old_pairs), others(after, new_pairs);
  return std::ranges::equal(old_pairs, new_pairs, [](const YamlPair* x, const YamlPair* y) {
    return x->key == y->key && same(x->value, y->value);
  });
}

bool came_out(std::string_view text, const Frontmatter& before, const PlanDocument& old_plan,
              const PlanChange& change) {
  const auto front = read_frontmatter(text);
  const auto plan = read_plan(text);
  if (!front || !plan || !others_stayed(before, *front)) return false;
  if (change.active && (!plan->named || plan->active != *change.active)) return false;
  return plan->steps.size() == old_plan.steps.size();
}

}  // namespace

Read<std::string> rewrite_plan(std::string_view text, const PlanChange& change) {
  auto plan = read_plan(text);
  if (!plan) return std::unexpected(std::move(plan.error()));
  const auto front = read_frontmatter(text);
  const auto keys = plan_keys(*front);
  std::vector<Edit> edits;
  if (change.active && plan->step(*change.active) == nullptr)
    return trouble(plan->named_line, fmt::format("there is no step `{}`", *change.active));
  const bool says_so = plan->named && plan->active == change.active;
  if (change.active && !says_so)
    edits.push_back(keys->active != nullptr ? replace_value(keys->active->value, *change.active)
                                            : add_active(text, *front, *change.active));
  if (keys->statuses != nullptr)
    for (const StepMark& mark : change.marks)
      if (auto edit = edit_mark(text, *keys->statuses, *plan, mark)) edits.push_back(*edit);
  std::string result = applied(text, std::move(edits));
  if (result == text || came_out(result, *front, *plan, change)) return result;
  if (!change.marks.empty()) return rewrite_plan(text, {change.active, {}});
  return trouble(plan->named_line, "active_step cannot be changed in this form of frontmatter",
                 "write it as a line of its own: `active_step: \"1\"`");
}

Read<std::string> set_active(std::string_view text, const std::string& step) {
  return rewrite_plan(text, {step, {}});
}

Read<std::string> set_status(std::string_view text, const std::string& step, StepStatus status) {
  return rewrite_plan(text, {std::nullopt, {{step, status}}});
}

}  // namespace pf::document
