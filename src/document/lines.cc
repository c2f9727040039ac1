#include "document/lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/glyph.h"
#include "base/text.h"

namespace pf::document {
namespace {

constexpr std::size_t kLongestNumber = 9;  // digits, as in CommonMark
constexpr std::size_t kHeadingIndent = 3;

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

void read_item(MarkdownLine& line, LineKind kind, std::string_view text, std::size_t marker) {
  line.kind = kind;
  line.content = trim(text.substr(marker));
  line.content_indent = line.indent + marker + 1;
}

}  // namespace

std::string_view trim_right(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

std::string_view skip(std::string_view text, std::string_view characters) {
  return text.substr(std::min(text.find_first_not_of(characters), text.size()));
}

std::string_view skip_separators(std::string_view text, std::string_view characters) {
  for (;;) {
    const std::size_t before = text.size();
    text = skip(text, characters);
    for (const std::string_view dash : {"–", "—"})
      if (text.starts_with(dash)) text.remove_prefix(dash.size());
    if (text.size() == before) return text;
  }
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!std::ranges::equal(text.substr(0, word.size()), word, {}, lower_letter)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::vector<TextLine> lines_of(std::string_view document) {
  std::vector<TextLine> lines;
  std::size_t at = document.starts_with(kBom) ? kBom.size() : 0;
  while (at < document.size()) {
    const auto newline = document.find('\n', at);
    const bool last = newline == std::string_view::npos;
    std::string_view text = document.substr(at, (last ? document.size() : newline) - at);
    if (text.ends_with('\r')) text.remove_suffix(1);
    const std::size_t next = last ? document.size() : newline + 1;
    lines.push_back({static_cast<int>(lines.size()) + 1, text, at, next});
    at = next;
  }
  return lines;
}

std::string_view line_end_of(std::string_view document) {
  const auto newline = document.find('\n');
  const bool carriage =
      newline != std::string_view::npos && newline > 0 && document[newline - 1] == '\r';
  return carriage ? "\r\n" : "\n";
}

Fence fence_at(std::string_view line) {
  line = skip(line, " \t");
  if (!line.starts_with('`') && !line.starts_with('~')) return {};
  const auto to = std::min(line.find_first_not_of(line[0]), line.size());
  if (to < 3) return {};
  return {line[0], to, trim_right(line.substr(to))};
}

bool HiddenLines::hides(const TextLine& line) {
  if (comment_) {
    comment_ = line.text.find("-->") == std::string_view::npos;
    return true;
  }
  const Fence fence = fence_at(line.text);
  if (fence_ != 0) {
    if (fence.mark == fence_ && fence.length >= length_ && fence.info.empty()) fence_ = 0;
    return true;
  }
  const bool code_span = fence.mark == '`' && fence.info.find('`') != std::string_view::npos;
  if (fence.mark != 0 && !code_span) {
    fence_ = fence.mark, length_ = fence.length, opened_ = line.number;
    return true;
  }
  const std::string_view text = skip(line.text, " \t");
  if (!text.starts_with("<!--")) return false;
  comment_ = text.find("-->", 4) == std::string_view::npos;
  return true;
}

std::string slug_of(std::string_view text, bool only_ascii) {
  const std::string name = only_ascii ? folded_plain(text) : folded(text);
  std::string slug;
  std::string_view rest = name;
  while (!rest.empty()) {
    const Glyph glyph = first_glyph(rest);
    const bool kept = is_of_name(glyph) && (glyph.bytes == 1 || !only_ascii);
    if (kept && slug.size() + glyph.bytes > kMaxSlug) break;
    if (kept)
      slug += rest.substr(0, glyph.bytes);
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
    rest.remove_prefix(glyph.bytes);
  }
  if (slug.size() > kMaxSlug) slug.resize(kMaxSlug);
  while (slug.ends_with('-')) slug.pop_back();
  return slug;
}

Read<void> check_text(std::string_view text, std::string_view these) {
  if (text.size() > kMaxDocument)
    return trouble(1, "the file is too large", fmt::format("keep {} below 1 MiB", these));
  for (const TextLine& line : lines_of(text))
    if (!is_utf8(line.text)) return trouble(line.number, "not UTF-8", "save the file as UTF-8");
  return {};
}

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
  line.kind = LineKind::text;
  const auto hashes = std::min(text.find_first_not_of('#'), text.size());
  if (hashes >= 1 && hashes <= 6 && line.indent <= kHeadingIndent && stands_alone(text, hashes)) {
    line.kind = LineKind::heading;
    line.level = hashes;
    line.content = heading_text(text.substr(hashes));
    return line;
  }
  if ((text[0] == '-' || text[0] == '*' || text[0] == '+') && stands_alone(text, 1)) {
    read_item(line, LineKind::bullet, text, 1);
    return line;
  }
  const auto digits =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  if (digits >= 1 && digits <= kLongestNumber && digits < text.size() &&
      (text[digits] == '.' || text[digits] == ')') && stands_alone(text, digits + 1)) {
    line.number = text.substr(0, digits);
    read_item(line, LineKind::ordered, text, digits + 1);
  }
  return line;
}

std::string_view without_checkbox(std::string_view text) {
  const bool box = text.size() >= 3 && text[0] == '[' && text[2] == ']' && stands_alone(text, 3) &&
                   (text[1] == ' ' || text[1] == 'x' || text[1] == 'X');
  return box ? trim(text.substr(3)) : text;
}

}  // namespace pf::document
