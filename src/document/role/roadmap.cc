#include "document/role/roadmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "document/lines.h"
#include "document/role/branch_name.h"

// How it works. The text is read once for each family, line by line; spans are of the text, so that
// a status can be replaced where it stands.
namespace pf::document {
namespace {

using Lines = std::vector<TextLine>;

// What stands in a box; the first mark of each is ours.
constexpr std::array<std::pair<WorkStatus, std::string_view>, 4> kBoxes = {
    {{WorkStatus::planned, " "},
     {WorkStatus::in_progress, "~/>"},
     {WorkStatus::done, "xX"},
     {WorkStatus::dropped, "-"}}};

enum class Form { word, box, cell, missing_box, missing_line };

struct FoundFeature {
  Feature feature;
  Form form = Form::word;  // how its status is written
  Span span = {};          // of the status; empty for what is missing: where it goes
  std::string word = {};
  bool known = true;  // the status is a word of ours
};

void take_status_word(FoundFeature& found, Form form, std::string_view text, Span span) {
  found.form = form;
  found.span = span;
  found.word = text.substr(span.begin, span.end - span.begin);
  const auto status = parse_work_status(found.word);
  found.feature.status = status.value_or(WorkStatus::planned);
  found.known = status || trim(found.word).empty();
}

// "F001: Login" in its two parts; id "" when the text does not begin with F and digits.
struct Label {
  std::string id, title;
};
Label label_of(std::string_view text) {
  text = skip(text, "*_`[ ");
  if (text.size() < 2 || text[0] != 'F' || !is_digit(text[1])) return {};
  std::size_t end = 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  const bool ends = end == text.size() ||
                    std::string_view(" \t:.-*_`])(|").find(text[end]) != std::string_view::npos ||
                    static_cast<unsigned char>(text[end]) >= 0x80;
  if (!ends) return {};
  Label label{std::string(text.substr(0, end)), ""};
  text = skip_separators(text.substr(end), " \t:.-*_`])");
  label.title = std::string(trim(text.substr(0, text.find_last_not_of("*_` \t") + 1)));
  return label;
}

// A known status at the very end of an item: "(done)", "[done]", "— done", "- done".
struct Trailing {
  Span word;
  std::size_t title_end = 0;
};
std::optional<Trailing> trailing_status(std::string_view text) {
  text = trim_right(text);
  Trailing found{{0, text.size()}, std::string_view::npos};
  if (text.ends_with(')') || text.ends_with(']')) {
    found.title_end = text.rfind(text.back() == ')' ? '(' : '[');
    found.word = {found.title_end + 1, text.size() - 1};
  } else {
    for (const std::string_view dash : {" - ", " – ", " — "}) {
      const auto at = text.rfind(dash);
      if (at == std::string_view::npos || at + dash.size() <= found.word.begin) continue;
      found.title_end = at;
      found.word.begin = at + dash.size();
    }
  }
  if (found.title_end == std::string_view::npos || found.word.begin >= found.word.end)
    return std::nullopt;
  if (!parse_work_status(text.substr(found.word.begin, found.word.end - found.word.begin)))
    return std::nullopt;
  return found;
}

std::size_t offset_in(std::string_view text, std::string_view part) {
  return static_cast<std::size_t>(part.data() - text.data());
}

FoundFeature item_of(std::string_view text, const TextLine& line, const MarkdownLine& form) {
  const std::string_view content = form.content;
  const std::size_t at = offset_in(text, content);
  const bool boxed = content.size() >= 3 && content[0] == '[' && content[2] == ']';
  const auto trailing = trailing_status(content);
  const std::string_view labelled =
      content.substr(0, trailing ? trailing->title_end : content.size());
  const Label label =
      label_of(boxed ? labelled.substr(std::min<std::size_t>(3, labelled.size())) : labelled);
  FoundFeature found{{label.id, label.title, WorkStatus::planned, line.number}};
  if (boxed) {
    found.form = Form::box;
    found.span = {at + 1, at + 2};
    found.word = content.substr(1, 1);
    found.known = false;
    for (const auto& [status, marks] : kBoxes)
      if (marks.contains(content[1])) found.feature.status = status, found.known = true;
  } else if (trailing) {
    take_status_word(found, Form::word, text, {at + trailing->word.begin, at + trailing->word.end});
  } else {
    found.form = Form::missing_box;
    found.span = {at, at};
  }
  return found;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('|')) return {};
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  return split(line, '|');
}

std::vector<FoundFeature> rows_in(std::string_view text, const Lines& lines) {
  std::vector<FoundFeature> found;
  std::size_t status = std::string_view::npos;
  for (const TextLine& line : lines) {
    const auto cells = cells_of(line.text);
    if (cells.empty()) status = std::string_view::npos;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (kebab_of(cells[i]) == "status") status = i;
    if (cells.empty() || status >= cells.size()) continue;
    const Label label = label_of(cells[0]);
    if (label.id.empty()) continue;
    FoundFeature& row =
        found.emplace_back(Feature{label.id, label.title, WorkStatus::planned, line.number});
    if (row.feature.title.empty() && cells.size() > 1 && status != 1)
      row.feature.title = std::string(trim(cells[1]));
    const auto cell = trim(cells[status]).empty() ? cells[status] : trim(cells[status]);
    const std::size_t at = offset_in(text, cell);
    take_status_word(row, Form::cell, text, {at, at + cell.size()});
  }
  return found;
}

std::vector<FoundFeature> headings_in(std::string_view text, const Lines& lines) {
  std::vector<FoundFeature> found;
  bool in_feature = false;
  for (const TextLine& line : lines) {
    const MarkdownLine form = markdown_line(line.text);
    if (form.kind == LineKind::heading) {
      in_feature = !label_of(form.content).id.empty();
      if (!in_feature) continue;
      FoundFeature& head = found.emplace_back(item_of(text, line, form));
      if (head.form == Form::missing_box)
        head.form = Form::missing_line, head.span = {line.next, line.next};
    } else if (in_feature && found.back().form == Form::missing_line) {
      if (const auto label = status_label(line.text))
        take_status_word(found.back(), Form::word, text,
                         {line.begin + label->begin, line.begin + label->end});
    }
  }
  return found;
}

std::vector<FoundFeature> items_in(std::string_view text, const Lines& lines) {
  std::vector<FoundFeature> found;
  for (const TextLine& line : lines) {
    const MarkdownLine form = markdown_line(line.text);
    if (!form.is_item()) continue;
    FoundFeature item = item_of(text, line, form);
    if (!item.feature.id.empty()) found.push_back(std::move(item));
  }
  return found;
}

// The features of one family, whatever is wrong with them.
std::vector<FoundFeature> find_features(std::string_view text) {
  HiddenLines hidden;
  Lines lines;
  for (const TextLine& line : lines_of(text))
    if (!hidden.hides(line)) lines.push_back(line);
  for (const auto family : {rows_in, headings_in, items_in})
    if (auto found = family(text, lines); !found.empty()) return found;
  return {};
}

std::vector<Problem> problems_in(const std::vector<FoundFeature>& found) {
  std::vector<Problem> problems;
  std::map<std::string_view, int> lines;
  if (found.empty())
    problems.push_back({1, "the roadmap names no feature",
                        "write each as `- [ ] F001: title`, or as a heading `## F001: title`"});
  if (found.size() > kMaxFeatures)
    problems.push_back({1, fmt::format("the roadmap has more than {} features", kMaxFeatures),
                        "keep finished ones in another file"});
  for (const FoundFeature& one : found) {
    if (problems.size() >= kMostProblems) break;
    const Feature& feature = one.feature;
    const auto [first, is_new] = lines.emplace(feature.id, feature.line);
    if (!is_feature_id(feature.id))
      problems.push_back({feature.line, fmt::format("`{}` is no feature's id", feature.id),
                          "write F and three digits at least, as in F001"});
    else if (!is_new)
      problems.push_back(
          {feature.line,
           fmt::format("{} is there twice, first on line {}", feature.id, first->second),
           "give every feature a number of its own"});
    if (!one.known)
      problems.push_back({feature.line,
                          fmt::format("the status of {} is `{}`, which is no status", feature.id,
                                      clip(printable(one.word), 60)),
                          fmt::format("write {}", kStatusWords)});
  }
  return problems;
}

std::expected<std::vector<FoundFeature>, std::vector<Problem>> sound_features(
    std::string_view text) {
  if (const auto sound = check_text(text, "the roadmap"); !sound)
    return std::unexpected(std::vector{sound.error()});
  auto found = find_features(text);
  if (auto problems = problems_in(found); !problems.empty())
    return std::unexpected(std::move(problems));
  return found;
}

std::string new_text(const FoundFeature& found, WorkStatus status, std::string_view end) {
  const auto box = std::ranges::find(kBoxes, status, [](const auto& row) { return row.first; });
  const std::string word = status_word(status, found.word);
  switch (found.form) {
    case Form::box: return std::string(box->second.substr(0, 1));
    case Form::missing_box: return fmt::format("[{}] ", box->second.front());
    case Form::missing_line: return fmt::format("{0}Status: {1}{0}", end, word);
    case Form::cell: return trim(found.word).empty() ? fmt::format(" {} ", word) : word;
    case Form::word: break;
  }
  return word;
}

}  // namespace

const Feature* Roadmap::find(std::string_view id) const {
  const auto at = std::ranges::find(features, id, &Feature::id);
  return at == features.end() ? nullptr : &*at;
}

std::expected<Roadmap, std::vector<Problem>> read_roadmap(std::string_view text) {
  const auto found = sound_features(text);
  if (!found) return std::unexpected(found.error());
  Roadmap roadmap;
  for (const FoundFeature& one : *found) roadmap.features.push_back(one.feature);
  return roadmap;
}

Read<std::string> set_feature_status(std::string_view text, std::string_view id,
                                     WorkStatus status) {
  const auto found = sound_features(text);
  if (!found) return std::unexpected(found.error().front());
  for (const FoundFeature& one : *found) {
    if (one.feature.id != id) continue;
    if (one.feature.status == status) return std::string(text);
    const std::string_view end = line_end_of(text);
    std::string added = new_text(one, status, end);
    // A heading on a last line without an end.
    if (one.form == Form::missing_line && one.span.begin > 0 && text[one.span.begin - 1] != '\n')
      added = std::string(end) + added;
    return std::string(text).replace(one.span.begin, one.span.end - one.span.begin, added);
  }
  return trouble(1, fmt::format("the roadmap has no feature {}", clip(printable(id), 20)),
                 "add it as `- [ ] F001: title`");
}

}  // namespace pf::document
