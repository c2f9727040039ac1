#include "screen/picture.h"

#include "base/text.h"

namespace pf::tui {

void Row::push(Span span) {
  if (span.text.empty()) return;
  columns_ += pf::columns(span.text);
  spans_.push_back(std::move(span));
}

Row& Row::add(std::string_view text, Style style) {
  push({printable(text), style, false});
  return *this;
}

Row& Row::chip(std::string_view text, Style style) {
  push({printable(text), style, true});
  return *this;
}

Row& Row::add(const Row& other) {
  for (const Span& span : other.spans_) push(span);
  return *this;
}

std::string Row::text() const {
  std::string all;
  for (const Span& span : spans_) all += span.text;
  return all;
}

Row Row::fitted(std::size_t width) const {
  Row row;
  std::size_t room = width, rest = columns_;
  for (const Span& span : spans_) {
    const std::size_t mine = pf::columns(span.text);
    if (mine > room || (mine == room && rest > mine)) {
      // Longer than there is room for, so that fit() shows that something is missing.
      row.push({fit(span.text + "……", room), span.style, span.chip});
      return row;
    }
    row.push(span);
    room -= mine, rest -= mine;
  }
  row.push({std::string(room, ' '), Style::plain, false});
  return row;
}

Row Row::with_right(const Row& right, std::size_t width) const {
  if (right.columns() >= width) return right.fitted(width);
  return fitted(width - right.columns()).add(right);
}

Row rule(std::size_t width, std::string_view character) {
  std::string line;
  for (std::size_t i = 0; i < width; ++i) line += character;
  return Row(line, Style::dim);
}

}  // namespace pf::tui
