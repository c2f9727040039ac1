#include "document/markdown_line.h"

#include <algorithm>

#include "base/text.h"

namespace pf::document {
namespace {

constexpr std::size_t kLongestNumber = 9;  // digits, as in CommonMark
constexpr std::size_t kHeadingIndent = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

// A marker counts when a space or nothing follows it.
bool stands_alone(std::string_view text, std::size_t length) {
  return text.size() == length || is_space(text[length]);
}

std::string_view heading_text(std::string_view text) {
  text = trim(text);
  const auto last = text.find_last_not_of('#');
  if (last == std::string_view::npos) return {};
  return is_space(text[last]) ? trim(text.substr(0, last)) : text;
}

void read_item(MarkdownLine& line, MarkdownLine::Kind kind, std::string_view text,
               std::size_t marker) {
  line.kind = kind;
  line.content = trim(text.substr(marker));
  line.content_indent = line.indent + marker + 1;
}

}  // namespace

MarkdownLine markdown_line(std::string_view text) {
  MarkdownLine line;
  while (!text.empty() && is_space(text.front())) {
    line.indent += text.front() == '\t' ? 4 - line.indent % 4 : 1;
    text.remove_prefix(1);
  }
  text = trim(text);
  line.content = text;
  line.content_indent = line.indent;
  if (text.empty()) return line;
  line.kind = MarkdownLine::Kind::text;
  const auto hashes = std::min(text.find_first_not_of('#'), text.size());
  if (hashes >= 1 && hashes <= 6 && line.indent <= kHeadingIndent && stands_alone(text, hashes)) {
    line.kind = MarkdownLine::Kind::heading;
    line.level = hashes;
    line.content = heading_text(text.substr(hashes));
    return line;
  }
  if ((text[0] == '-' || text[0] == '*' || text[0] == '+') && stands_alone(text, 1)) {
    read_item(line, MarkdownLine::Kind::bullet, text, 1);
    return line;
  }
  const auto digits =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  if (digits >= 1 && digits <= kLongestNumber && digits < text.size() &&
      (text[digits] == '.' || text[digits] == ')') && stands_alone(text, digits + 1)) {
    line.number = text.substr(0, digits);
    read_item(line, MarkdownLine::Kind::ordered, text, digits + 1);
  }
  return line;
}

std::string_view without_checkbox(std::string_view text) {
  const bool box = text.size() >= 3 && text[0] == '[' && text[2] == ']' && stands_alone(text, 3) &&
                   (text[1] == ' ' || text[1] == 'x' || text[1] == 'X');
  return box ? trim(text.substr(3)) : text;
}

}  // namespace pf::document
