#include "document/role/roadmap_lines.h"

#include <algorithm>

#include "base/text.h"
#include "document/lines.h"
#include "document/role/branch_name.h"

// How it works. The text is read once for each family, line by line; spans are of the text, so that
// a status can be replaced where it stands.
namespace pf::document {
namespace {

using Form = StatusPlace::Form;

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
  std::string_view content = form.content;
  const std::size_t at = offset_in(text, content);
  const bool boxed = content.size() >= 3 && content[0] == '[' && content[2] == ']';
  const auto trailing = trailing_status(content);
  const std::string_view labelled =
      content.substr(0, trailing ? trailing->title_end : content.size());
  const Label label =
      label_of(boxed ? labelled.substr(std::min<std::size_t>(3, labelled.size())) : labelled);
  FoundFeature found{{label.id, label.title, WorkStatus::planned, line.number}, {}};
  if (trailing && !boxed) {
    const auto [begin, end] = trailing->word;
    found.place = {Form::word, {at + begin, at + end}};
    found.word = content.substr(begin, end - begin);
    found.feature.status = *parse_work_status(found.word);
    return found;
  }
  if (!boxed) {
    found.place = {Form::missing_box, {at, at}};
    return found;
  }
  found.place = {Form::box, {at + 1, at + 2}};
  found.word = content.substr(1, 1);
  switch (content[1]) {
    case ' ': break;
    case 'x':
    case 'X': found.feature.status = WorkStatus::done; break;
    case '~':
    case '/':
    case '>': found.feature.status = WorkStatus::in_progress; break;
    case '-': found.feature.status = WorkStatus::dropped; break;
    default: found.known = false;
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

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text) {
    HiddenLines hidden;
    for (const TextLine& line : lines_of(text))
      if (!hidden.hides(line)) lines_.push_back(line);
  }

  std::vector<FoundFeature> rows() const {
    std::vector<FoundFeature> found;
    std::size_t status = std::string_view::npos;
    for (const TextLine& line : lines_) {
      const auto cells = cells_of(line.text);
      if (cells.empty()) status = std::string_view::npos;
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (kebab_of(cells[i]) == "status") status = i;
      if (cells.empty() || status >= cells.size()) continue;
      if (const Label label = label_of(cells[0]); !label.id.empty())
        found.push_back(row_of(line, cells, status, label));
    }
    return found;
  }

  std::vector<FoundFeature> headings() const {
    std::vector<FoundFeature> found;
    bool in_feature = false;
    for (const TextLine& line : lines_) {
      const MarkdownLine form = markdown_line(line.text);
      if (form.kind == LineKind::heading) {
        const Label label = label_of(form.content);
        in_feature = !label.id.empty();
        if (in_feature) {
          found.push_back(heading_of(line, form));
        }
      } else if (in_feature && found.back().place.form == Form::missing_line) {
        take_label(line, found.back());
      }
    }
    return found;
  }

  std::vector<FoundFeature> items() const {
    std::vector<FoundFeature> found;
    for (const TextLine& line : lines_) {
      const MarkdownLine form = markdown_line(line.text);
      if (!form.is_item()) continue;
      FoundFeature item = item_of(text_, line, form);
      if (!item.feature.id.empty()) found.push_back(std::move(item));
    }
    return found;
  }

 private:
  FoundFeature row_of(const TextLine& line, const std::vector<std::string_view>& cells,
                      std::size_t status, const Label& label) const {
    FoundFeature found{{label.id, label.title, WorkStatus::planned, line.number}, {}};
    if (found.feature.title.empty() && cells.size() > 1 && status != 1)
      found.feature.title = std::string(trim(cells[1]));
    const std::string_view cell = trim(cells[status]);
    const std::size_t at = cell.empty() ? offset_in(text_, cells[status]) : offset_in(text_, cell);
    found.place = {Form::cell, {at, at + (cell.empty() ? cells[status].size() : cell.size())}};
    found.word = cell;
    if (const auto word = parse_work_status(cell))
      found.feature.status = *word;
    else
      found.known = cell.empty();
    return found;
  }

  FoundFeature heading_of(const TextLine& line, const MarkdownLine& form) const {
    FoundFeature found = item_of(text_, line, form);
    if (found.place.form == Form::missing_box)
      found.place = {Form::missing_line, {line.next, line.next}};
    return found;
  }

  void take_label(const TextLine& line, FoundFeature& found) const {
    const auto label = status_label(line.text);
    if (!label) return;
    found.place = {Form::word, {line.begin + label->begin, line.begin + label->end}};
    found.word = line.text.substr(label->begin, label->end - label->begin);
    if (const auto word = parse_work_status(found.word))
      found.feature.status = *word;
    else
      found.known = found.word.empty();
  }

  std::string_view text_;
  std::vector<TextLine> lines_;
};

}  // namespace

std::vector<FoundFeature> find_features(std::string_view text) {
  const Finder finder(text);
  if (auto rows = finder.rows(); !rows.empty()) return rows;
  if (auto headings = finder.headings(); !headings.empty()) return headings;
  return finder.items();
}

}  // namespace pf::document
