#include "screen/wrap.h"

#include <algorithm>

#include "base/text.h"

namespace pf::screen {
namespace {

constexpr std::string_view kJoiner = "\u200d";  // what it joins is one character

std::size_t code_point_end(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return end;
}

// The bytes at the front of `text` that fill at most `width` columns; one character at least.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = glyph_bytes(text, at);
    used += columns(text.substr(at, size));
    if (used > width && at > 0) return at;
    at += size;
  }
  return text.size();
}

std::string_view without_end(std::string_view text, std::string_view characters) {
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

// Where the line that begins `text` ends: after the last word that fits, else within a long word.
std::size_t line_end(std::string_view text, std::size_t width) {
  const std::size_t room = bytes_within(text, width);
  if (room == text.size() || text[room] == ' ') return room;
  const auto space = text.rfind(' ', room);
  const bool in_a_word = space == std::string_view::npos ||
                         text.find_first_not_of(' ') > space;  // only indentation before it
  return in_a_word ? room : space;
}

}  // namespace

std::size_t glyph_bytes(std::string_view text, std::size_t at) {
  std::size_t end = code_point_end(text, at);
  while (end < text.size() && text[end] != '\n') {
    const std::size_t next = code_point_end(text, end);
    const bool joined = text.substr(at, end - at).ends_with(kJoiner);
    if (columns(text.substr(end, next - end)) > 0 && !joined) break;
    end = next;
  }
  return end - at;
}

std::vector<Row> wrap(Row lead, std::string_view text, Style style, std::size_t indent,
                      std::size_t width, std::size_t most) {
  const std::string clean = printable_lines(text);
  std::string_view left = without_end(clean, " \n");
  std::vector<Row> rows;
  Row row = std::move(lead);
  while (rows.size() + 1 < most) {
    const std::size_t room = width > row.columns() ? width - row.columns() : 1;
    const std::size_t end = line_end(left.substr(0, left.find('\n')), room);
    if (end == left.size()) break;
    rows.push_back(row.add(without_end(left.substr(0, end), " "), style));
    row = Row(std::string(indent, ' '));
    left.remove_prefix(left[end] == '\n' ? end : left.find_first_not_of(' ', end));
    if (left.front() == '\n') left.remove_prefix(1);
  }
  rows.push_back(row.add(left, style));
  return rows;
}

}  // namespace pf::screen
