#include "screen/wrap.h"

#include <algorithm>

#include "base/text.h"

namespace pf::tui {
namespace {

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
    if (columns(text.substr(end, next - end)) > 0) break;
    end = next;
  }
  return end - at;
}

std::vector<std::string> wrap(std::string_view text, std::size_t first, std::size_t width) {
  std::vector<std::string> lines;
  const auto last = text.find_last_not_of(" \n");
  text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  for (std::string_view line : split(text, '\n')) {
    for (;;) {
      const std::size_t room = std::max<std::size_t>(lines.empty() ? first : width, 1);
      const std::size_t end = line_end(line, room);
      lines.emplace_back(line.substr(0, end));
      while (!lines.back().empty() && lines.back().back() == ' ') lines.back().pop_back();
      if (end == line.size()) break;
      line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
      if (line.empty()) break;
    }
  }
  return lines;
}

}  // namespace pf::tui
