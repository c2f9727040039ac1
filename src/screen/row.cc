#include "screen/row.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"

namespace pf::screen {
namespace {

constexpr std::size_t kLongestText = 8u << 10;  // bytes of one piece; no row shows more

}  // namespace

std::string painted(std::string_view text, Style style, Ink ink) {
  std::string codes;
  const auto add = [&](int code) { codes += fmt::format("{}{}", codes.empty() ? "" : ";", code); };
  if (style.weight == Weight::bold) add(1);
  if (style.weight == Weight::dim) add(2);
  if (style.colour != Colour::none && ink == Ink::colours) add(static_cast<int>(style.colour));
  if (style.inverse) add(7);
  if (ink == Ink::none || codes.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes, text);
}

void Row::push(Span span) {
  if (span.text.empty()) return;
  columns_ += pf::columns(span.text);
  if (!spans_.empty() && spans_.back().style == span.style)
    spans_.back().text += span.text;
  else
    spans_.push_back(std::move(span));
}

Row& Row::add(std::string_view text, Style style) {
  push({printable(clip(text, kLongestText)), style});
  return *this;
}

Row& Row::add(const Row& other) {
  for (const Span& span : other.spans_) push(span);
  return *this;
}

std::string Row::painted(Ink ink) const {
  std::string all;
  for (const Span& span : spans_) all += screen::painted(span.text, span.style, ink);
  return all;
}

Row Row::fitted(std::size_t width) const {
  Row row;
  std::size_t room = width, rest = columns_;
  for (const Span& span : spans_) {
    const std::size_t mine = pf::columns(span.text);
    if (mine > room || (mine == room && rest > mine)) {
      // Longer than there is room for, so that fit() shows that something is missing.
      row.push({fit(span.text + "……", room), span.style});
      return row;
    }
    row.push(span);
    room -= mine, rest -= mine;
  }
  row.push({std::string(room, ' ')});
  return row;
}

Row Row::with_right(const Row& right, std::size_t width) const {
  if (right.columns() >= width) return right.fitted(width);
  return fitted(width - right.columns()).add(right);
}

void append(std::vector<Row>& rows, std::vector<Row> more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

Row rule(std::size_t width) {
  std::string line;
  for (std::size_t i = 0; i < width; ++i) line += "─";
  return Row(line, Style::dim).fitted(width);
}

}  // namespace pf::screen
