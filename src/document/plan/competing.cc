#include <algorithm>
#include <array>
#include <set>

#include "base/glyph.h"
#include "base/text.h"
#include "document/plan/families.h"

// How it works. The family that says most clearly that it holds steps is the likeliest: by a
// step's word, by standing below "Steps", by numbers; headings before lists. Another one is its
// content when it stands inside its steps, and its frame when the likeliest stands inside it; what
// stands beside it and is as clear competes. Numbers decide between a frame and what it holds: when
// they begin anew in each part, the parts are the steps; when they run through, nobody can tell.
namespace pf::document {
namespace {

constexpr std::size_t kMostFrames = 6;  // one in the other, as levels of headings

// Sections whose lists are not the steps of a plan.
constexpr std::array<std::string_view, 27> kOtherSections = {"goals",
                                                             "goal",
                                                             "non-goals",
                                                             "non goals",
                                                             "notes",
                                                             "risks",
                                                             "background",
                                                             "context",
                                                             "requirements",
                                                             "assumptions",
                                                             "out of scope",
                                                             "scope",
                                                             "references",
                                                             "links",
                                                             "open questions",
                                                             "questions",
                                                             "appendix",
                                                             "dependencies",
                                                             "prerequisites",
                                                             "motivation",
                                                             "success criteria",
                                                             "acceptance",
                                                             "acceptance criteria",
                                                             "definition of done",
                                                             "done when",
                                                             "checklist",
                                                             "verification"};

int clearness(const Family& family) {
  if (family.is_step()) return 4;
  if (!family.word.empty()) return 3;
  if (family.listed) return 2;
  return family.kind == FamilyKind::boxes ? 0 : 1;
}

bool are_headings(const Family& family) {
  return family.kind == FamilyKind::headings || family.kind == FamilyKind::bold;
}

class Contest {
 public:
  Contest(const std::vector<PlanLine>& lines, std::vector<Family> families)
      : lines_(lines), families_(std::move(families)) {}

  std::vector<Family> run() && {
    drop_title();
    narrow();
    std::ranges::stable_sort(families_,
                             [&](const Family& a, const Family& b) { return order(a) < order(b); });
    if (families_.empty()) return {};
    for (std::size_t frames = 0; frames < kMostFrames && reframe();) ++frames;
    std::vector<Family> ways{families_.front()};
    for (std::size_t i = 1; i < families_.size(); ++i)
      if (competes(families_.front(), families_[i])) ways.push_back(families_[i]);
    return ways;
  }

 private:
  using Starts = std::vector<std::size_t>;

  std::array<int, 3> order(const Family& family) const {
    const auto level = lines_[family.starts.front()].form.level;
    return {-clearness(family), static_cast<int>(family.kind), static_cast<int>(level)};
  }

  // For each start of `inner` which step of `outer` it stands in; -1 for none.
  std::vector<int> places(const Family& inner, const Family& outer) const {
    std::vector<int> places;
    std::size_t step = 0;
    std::size_t end = 0, known = outer.starts.size();
    for (const std::size_t at : inner.starts) {
      while (step < outer.starts.size() && outer.starts[step] <= at) ++step;
      if (step > 0 && known != step)
        known = step, end = end_of(lines_, outer, outer.starts[step - 1]);
      places.push_back(step > 0 && at < end ? static_cast<int>(step - 1) : -1);
    }
    return places;
  }
  std::size_t count_inside(const Family& inner, const Family& outer) const {
    const auto all = places(inner, outer);
    return all.size() - static_cast<std::size_t>(std::ranges::count(all, -1));
  }
  std::size_t parts_hit(const Family& inner, const Family& outer) const {
    const auto all = places(inner, outer);
    return std::set<int>(all.begin(), all.end()).size();
  }

  std::string number_at(const Family& family, std::size_t at) const {
    const PlanLine& line = lines_[at];
    if (family.kind == FamilyKind::numbered) return step_number(line.form.number);
    if (family.kind == FamilyKind::boxes || family.kind == FamilyKind::bullets) return {};
    return family.word.empty() ? line.number.number : line.label.number;
  }
  std::string title_at(const Family& family, std::size_t at) const {
    const PlanLine& line = lines_[at];
    if (!family.word.empty()) return slug_of(line.label.title);
    return slug_of(are_headings(family) ? line.number.title : title_of(line.front.text));
  }

  // No number comes twice, and none names the part that it stands in.
  bool runs_through(const Family& family) const {
    std::set<std::string> seen;
    std::size_t unnumbered = 0;
    for (const std::size_t at : family.starts) {
      const std::string number = number_at(family, at);
      if (number.empty())
        ++unnumbered;
      else if (!seen.insert(number).second || number.find('.') != std::string::npos)
        return false;
    }
    return unnumbered == 0 || (!family.word.empty() && unnumbered == family.starts.size());
  }

  // "# Phase 2: Login" may be the title of all that follows.
  void drop_title() {
    const auto is_heading = [](const PlanLine& line) {
      return !line.hidden && line.form.kind == LineKind::heading;
    };
    const auto first = std::ranges::find_if(lines_, is_heading);
    if (first == lines_.end() || first->form.level != 1 || families_.size() < kSeveral) return;
    const auto at = static_cast<std::size_t>(first - lines_.begin());
    std::erase_if(families_, [&](const Family& family) {
      return family.kind == FamilyKind::headings && !family.is_step() && !family.listed &&
             family.starts == Starts{at};
    });
  }

  // Lists among the goals are no steps, as long as there is anything else; of a list that stands
  // partly inside numbered parts the rest is left.
  void narrow() {
    const std::vector<Family> all = families_;
    const auto others = lines_of_others();
    for (Family& family : families_) {
      if (clearness(family) > 1 || are_headings(family)) continue;
      std::erase_if(family.starts, [&](std::size_t at) { return others[at]; });
      for (const Family& outer : all)
        if (are_headings(outer) && outer.starts.size() >= kSeveral) leave_outside(family, outer);
    }
    std::erase_if(families_, [](const Family& family) { return family.starts.empty(); });
    if (families_.empty()) families_ = all;
  }
  void leave_outside(Family& family, const Family& outer) const {
    const auto where = places(family, outer);
    Starts outside;
    for (std::size_t i = 0; i < where.size(); ++i)
      if (where[i] < 0) outside.push_back(family.starts[i]);
    if (!outside.empty()) family.starts = std::move(outside);
  }
  std::vector<bool> lines_of_others() const {
    std::vector<bool> others;
    bool other = false;
    for (const PlanLine& line : lines_) {
      if (!line.hidden && line.form.kind == LineKind::heading)
        other = std::ranges::find(kOtherSections, section_name(line)) != kOtherSections.end();
      others.push_back(other);
    }
    return others;
  }

  // The likeliest stands in several parts of another family and begins to count anew in each: they
  // are the steps.
  bool reframe() {
    const Family best = families_.front();
    const auto frame = std::ranges::find_if(families_, [&](const Family& outer) {
      return are_headings(outer) && outer.starts != best.starts &&
             count_inside(best, outer) == best.starts.size() &&
             parts_hit(best, outer) >= kSeveral && !runs_through(best);
    });
    if (frame == families_.end()) return false;
    std::rotate(families_.begin(), frame, frame + 1);
    return true;
  }

  bool competes(const Family& best, const Family& other) const {
    if (count_inside(other, best) == other.starts.size())  // its content
      return !best.is_step() && other.starts.size() > best.starts.size() &&
             parts_hit(other, best) >= kSeveral && runs_through(other);
    if (count_inside(best, other) == best.starts.size())  // its frame
      return parts_hit(best, other) >= kSeveral;
    if (other.word.empty() && other.starts.size() < kSeveral) return false;
    return is_as_clear(best, other) && !say_the_same(best, other);
  }
  static bool is_as_clear(const Family& best, const Family& other) {
    if (clearness(best) == 4 || clearness(other) == 4) return clearness(best) == clearness(other);
    if (clearness(other) == 0) return best.kind == FamilyKind::numbered;
    return clearness(best) == clearness(other) || best.listed || other.listed;
  }
  // A list of contents.
  bool say_the_same(const Family& a, const Family& b) const {
    return std::ranges::equal(a.starts, b.starts, [&](std::size_t x, std::size_t y) {
      return number_at(a, x) == number_at(b, y) && title_at(a, x) == title_at(b, y);
    });
  }

  const std::vector<PlanLine>& lines_;
  std::vector<Family> families_;
};

}  // namespace

std::vector<Family> competing(const std::vector<PlanLine>& lines, std::vector<Family> families) {
  return Contest(lines, std::move(families)).run();
}

}  // namespace pf::document
