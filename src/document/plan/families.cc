#include "document/plan/families.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "base/glyph.h"
#include "base/text.h"

namespace pf::document {
namespace {

// Sections whose lists are the steps.
constexpr std::array<std::string_view, 17> kStepSections = {"steps",
                                                            "implementation steps",
                                                            "plan steps",
                                                            "the steps",
                                                            "plan",
                                                            "the plan",
                                                            "implementation plan",
                                                            "implementation",
                                                            "tasks",
                                                            "task list",
                                                            "todo",
                                                            "to do",
                                                            "to-do",
                                                            "work plan",
                                                            "milestones",
                                                            "phases",
                                                            "action items"};

bool is_heading(const PlanLine& line) {
  return !line.hidden && line.form.kind == LineKind::heading;
}
bool is_item(const PlanLine& line) { return !line.hidden && line.form.is_item(); }

struct Section {
  std::size_t heading, begin, end;
};

std::size_t section_end(const std::vector<PlanLine>& lines, std::size_t heading) {
  std::size_t end = heading + 1;
  while (end < lines.size() &&
         !(is_heading(lines[end]) && lines[end].form.level <= lines[heading].form.level))
    ++end;
  return end;
}

// Below the first heading "Steps", or a name like it that is not the document's own title.
std::optional<Section> steps_section(const std::vector<PlanLine>& lines) {
  bool is_first = true;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_heading(lines[i])) continue;
    const std::string name = section_name(lines[i]);
    const bool title = std::exchange(is_first, false) && lines[i].form.level == 1;
    if (name == "steps" ||
        (!title && std::ranges::find(kStepSections, name) != kStepSections.end()))
      return Section{i, i + 1, section_end(lines, i)};
  }
  return std::nullopt;
}

// Numbers that count up from 0 or 1, so that they need no dot behind them.
bool count_up(const std::vector<PlanLine>& lines, const std::vector<std::size_t>& starts) {
  if (starts.size() < kSeveral) return false;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto number = parse_number<int>(lines[starts[i]].number.number);
    const auto first = parse_number<int>(lines[starts[0]].number.number);
    if (!number || !first || *first > 1 || *number != *first + static_cast<int>(i)) return false;
  }
  return true;
}

class Finder {
 public:
  explicit Finder(const std::vector<PlanLine>& lines) : lines_(lines) {}

  std::vector<Family> run() && {
    add_labelled(FamilyKind::headings, [](const PlanLine& l) { return is_heading(l); });
    add_numbered_headings();
    add_labelled(FamilyKind::bold, [](const PlanLine& l) {
      return l.paragraph && l.form.kind == LineKind::text && (l.front.bold || l.label.ends);
    });
    add_bold_numbers();
    add_labelled(FamilyKind::labelled, [](const PlanLine& l) { return is_item(l); });
    add_items(FamilyKind::numbered, [](const PlanLine& l) {
      return is_item(l) && l.form.kind == LineKind::ordered && !l.in_bullet;
    });
    add_items(FamilyKind::boxes, [](const PlanLine& l) {
      return is_item(l) && l.form.kind == LineKind::bullet && l.depth == 1 && l.front.boxed;
    });
    if (const auto section = steps_section(lines_)) prefer(*section);
    return std::move(families_);
  }

 private:
  using Starts = std::vector<std::size_t>;

  static std::size_t depth(const PlanLine& line) {
    return line.form.kind == LineKind::heading ? line.form.level
                                               : static_cast<std::size_t>(line.depth);
  }
  // Those of the highest level; `several`: that has more than one, if any has.
  Starts highest(const Starts& starts, bool several) const {
    std::map<std::size_t, Starts> levels;
    for (const std::size_t at : starts) levels[depth(lines_[at])].push_back(at);
    for (const auto& [level, found] : levels)
      if (!several || found.size() >= kSeveral) return found;
    return levels.empty() ? Starts{} : levels.begin()->second;
  }
  void add(FamilyKind kind, std::string word, Starts starts) {
    if (!starts.empty()) families_.push_back({kind, std::move(word), false, std::move(starts)});
  }
  void add_labelled(FamilyKind kind, bool (*fits)(const PlanLine&)) {
    std::map<std::string, Starts> words;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!lines_[i].hidden && lines_[i].label.found && fits(lines_[i]))
        words[lines_[i].label.word].push_back(i);
    for (auto& [word, starts] : words) {
      const bool unnumbered = std::ranges::all_of(
          starts, [&](std::size_t at) { return lines_[at].label.number.empty(); });
      const bool plain = kind == FamilyKind::bold && std::ranges::none_of(starts, [&](auto at) {
                           return lines_[at].front.bold;
                         });
      // "Task: add a login" may be what the whole document is about, "Step 2: see above" a
      // sentence.
      if (((word != "step" && unnumbered) || plain) && starts.size() < kSeveral) continue;
      add(kind, word, highest(starts, word != "step"));
    }
  }
  void add_numbered_headings() {
    Starts ended, dotted, all;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (!is_heading(lines_[i]) || !lines_[i].number.found) continue;
      all.push_back(i);
      if (lines_[i].number.ends)
        ended.push_back(i);
      else if (lines_[i].number.number.find('.') != std::string::npos)
        dotted.push_back(i);
    }
    if (dotted.size() >= kSeveral) ended.insert(ended.end(), dotted.begin(), dotted.end());
    std::ranges::sort(ended);
    const Starts top = highest(all, true);
    add(FamilyKind::headings, "", count_up(lines_, top) ? top : highest(ended, true));
  }
  void add_bold_numbers() {
    Starts starts;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i].paragraph && lines_[i].form.kind == LineKind::text && lines_[i].front.bold &&
          lines_[i].number.found && lines_[i].number.ends)
        starts.push_back(i);
    if (starts.size() >= kSeveral) add(FamilyKind::bold, "", std::move(starts));
  }
  void add_items(FamilyKind kind, bool (*fits)(const PlanLine&)) {
    Starts starts;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (fits(lines_[i])) starts.push_back(i);
    add(kind, "", highest(starts, false));
  }

  static Starts within(const Starts& starts, const Section& section) {
    Starts inside;
    std::ranges::copy_if(starts, std::back_inserter(inside),
                         [&](std::size_t at) { return at >= section.begin && at < section.end; });
    return inside;
  }
  // In the section of the steps the numbers and boxes are the steps, those elsewhere are not.
  void prefer(const Section& section) {
    bool found = false;
    for (Family& family : families_) {
      Starts inside = within(family.starts, section);
      if (inside.empty()) continue;
      found = true;
      if (!family.word.empty()) continue;
      family.listed = true;
      family.starts = std::move(inside);
    }
    if (!found) add_plain(section);
  }
  // Headings or bullets without numbers.
  void add_plain(const Section& section) {
    Starts headings, bullets;
    for (std::size_t i = section.begin; i < section.end; ++i) {
      if (is_heading(lines_[i])) headings.push_back(i);
      if (is_item(lines_[i]) && lines_[i].depth == 1) bullets.push_back(i);
    }
    const bool by_headings = headings.size() >= kSeveral;
    add(by_headings ? FamilyKind::headings : FamilyKind::bullets, "",
        by_headings ? highest(headings, false) : bullets);
    if (!families_.empty() && (by_headings || !bullets.empty())) families_.back().listed = true;
  }

  const std::vector<PlanLine>& lines_;
  std::vector<Family> families_;
};

}  // namespace

std::string Family::form() const {
  const std::string before = word.empty() ? "" : word + " ";
  switch (kind) {
    case FamilyKind::headings: return before + "headings";
    case FamilyKind::bold: return before + "bold headings";
    case FamilyKind::labelled: return before + "list";
    case FamilyKind::numbered: return "numbered list";
    case FamilyKind::boxes: return "checkbox list";
    case FamilyKind::bullets: return "bulleted list";
  }
  return {};
}

std::string section_name(const PlanLine& heading) {
  std::string name =
      folded(heading.number.found ? heading.number.title : title_of(heading.front.text));
  while (name.ends_with(':')) name.pop_back();
  return std::string(trim(name));
}

std::vector<Family> families_of(const std::vector<PlanLine>& lines) { return Finder(lines).run(); }

std::size_t end_of(const std::vector<PlanLine>& lines, const Family& family, std::size_t start) {
  const MarkdownLine& head = lines[start].form;
  const auto next = std::ranges::upper_bound(family.starts, start);
  const std::size_t last = next == family.starts.end() ? lines.size() : *next;
  bool after_blank = false;
  for (std::size_t i = start + 1; i < last; ++i) {
    const MarkdownLine& form = lines[i].form;
    if (lines[i].hidden) continue;
    const bool higher = family.kind != FamilyKind::headings || form.level <= head.level;
    if (form.kind == LineKind::heading && higher) return i;
    const bool outdented = form.kind != LineKind::blank && form.indent <= head.indent &&
                           (after_blank || form.is_item());
    if (head.is_item() && outdented) return i;
    after_blank = form.kind == LineKind::blank;
  }
  return last;
}

}  // namespace pf::document
