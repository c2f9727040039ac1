#include <optional>

#include "base/text.h"
#include "document/lines.h"
#include "document/plan/steps.h"

// How it works. The label opens a list of criteria. What follows belongs to it as long as it is
// indented deeper than the label's own bullet; below a label that is plain text or a heading, until
// a paragraph after a blank line, another label or a heading.
namespace pf::document {
namespace {

std::string_view without_stars(std::string_view text) { return skip(text, "*_ \t"); }

// What stands behind "Acceptance:"; nothing when the line is no such label.
std::optional<std::string_view> label_text(const MarkdownLine& line) {
  std::string_view text = without_stars(without_checkbox(line.content));
  if (!take_word(text, "acceptance")) return std::nullopt;
  text = trim(text);
  if (!take_word(text, "criteria")) take_word(text, "criterion");
  text = without_stars(text);
  // A line of its own needs no colon.
  const bool bold = without_checkbox(line.content).starts_with("**") ||
                    without_checkbox(line.content).starts_with("__");
  if (text.empty() && (line.kind == LineKind::heading || bold)) return text;
  if (!text.starts_with(':')) return std::nullopt;
  return without_stars(text.substr(1));
}

// "Tests:", "**Notes:** …": another label begins.
bool is_label(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  text = without_stars(text);
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > kLongest) return false;
  return text[0] >= 'A' && text[0] <= 'Z' &&
         text.substr(0, colon).find_first_of(".,;()`") == std::string_view::npos;
}

class Criteria {
 public:
  bool open() const { return open_; }
  std::vector<std::string> take() && { return std::move(found_); }

  void begin(const MarkdownLine& label, std::string_view text) {
    open_ = true, label_ = label, after_blank_ = false, fresh_ = true;
    if (!text.empty()) add(text);
  }
  void feed(const MarkdownLine& line) {
    if (line.kind == LineKind::blank) {
      after_blank_ = true;
      return;
    }
    if (ends(line)) {
      open_ = false;
      return;
    }
    const bool paragraph = after_blank_ && label_.kind == LineKind::heading;
    if (line.is_item() || fresh_ || paragraph)
      add(without_checkbox(line.content));
    else
      found_.back() += " " + std::string(line.content);
    after_blank_ = false;
  }

 private:
  void add(std::string_view text) {
    fresh_ = false;
    found_.emplace_back(text);
  }
  bool ends(const MarkdownLine& line) const {
    if (line.kind == LineKind::heading) return true;
    if (label_.is_item()) return line.indent <= label_.indent;
    if (label_.kind == LineKind::heading) return false;
    if (line.is_item()) return line.indent < label_.indent;
    return is_label(line.content) || (after_blank_ && line.indent <= label_.indent);
  }

  bool open_ = false, after_blank_ = false;
  bool fresh_ = true;  // no criterion yet that a line could go on with
  MarkdownLine label_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> acceptance_in(std::string_view body) {
  Criteria criteria;
  HiddenLines hidden;
  for (const TextLine& line : lines_of(body)) {
    if (hidden.hides(line)) continue;
    const MarkdownLine form = markdown_line(line.text);
    if (const auto text = label_text(form))
      criteria.begin(form, *text);
    else if (criteria.open())
      criteria.feed(form);
  }
  return std::move(criteria).take();
}

}  // namespace pf::document
