#include <limits>

#include "base/text.h"
#include "document/plan/families.h"

namespace pf::document {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// What is less than two columns in from an open item stands beside it, whatever CommonMark says of
// its marker's width: `1. a` and `  - b` below it belong together.
class OpenItem {
 public:
  void look(PlanLine& line) {
    const std::size_t indent = line.form.indent;
    if (line.form.kind == LineKind::heading || indent < inner_) inner_ = kNone;
    if (!line.form.is_item()) return;
    if (line.depth == 1 && indent >= inner_) {
      line.depth = 2;
      line.in_bullet = line.in_bullet || bullet_;
    }
    if (line.depth != 1) return;
    inner_ = indent + 2;
    bullet_ = line.form.kind == LineKind::bullet;
  }

 private:
  std::size_t inner_ = kNone;
  bool bullet_ = false;
};

bool underlines_heading(std::string_view text) {
  return !text.empty() && (text.find_first_not_of('=') == std::string_view::npos ||
                           text.find_first_not_of('-') == std::string_view::npos);
}

// Headings and items are what CommonMark says; every other line is text.
void settle_form(PlanLine& line, const Block& block) {
  const bool begins = block.line == line.line.number;
  const bool heading =
      begins && block.kind == Block::Kind::heading && block.depth == 0 && !block.quoted;
  const bool item =
      begins && block.kind == Block::Kind::item && !block.quoted && line.form.is_item();
  if (heading) {
    line.form.kind = LineKind::heading;
    line.form.level = static_cast<std::size_t>(block.level);
  } else if (item) {
    line.depth = block.depth;
    line.in_bullet = block.in_bullet;
  } else {
    line.form.kind = LineKind::text;
  }
  line.paragraph = block.kind == Block::Kind::paragraph && block.depth == 0 && !block.quoted;
}

}  // namespace

std::vector<PlanLine> plan_lines(std::string_view body) {
  std::vector<PlanLine> all;
  const auto lines = lines_of(body);
  const auto blocks = blocks_of(body);
  const auto by_line = blocks_by_line(lines, blocks);
  OpenItem open;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    PlanLine line{lines[i], markdown_line(lines[i].text)};
    const Block* block = by_line[i];
    if (line.form.kind != LineKind::blank) line.hidden = block == nullptr;
    if (!line.hidden && line.form.kind != LineKind::blank) {
      line.underline = block->kind == Block::Kind::heading && block->line < lines[i].number &&
                       underlines_heading(line.form.content);
      settle_form(line, *block);
      open.look(line);
      if (line.underline) line.form = {};
      if (line.form.kind == LineKind::heading || line.form.is_item() || line.paragraph) {
        line.front = without_decoration(line.form.content);
        line.label = step_label(line.front.text);
        line.number = number_label(line.front.text);
      }
    }
    all.push_back(std::move(line));
  }
  return all;
}

}  // namespace pf::document
