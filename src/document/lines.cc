#include "document/lines.h"

#include <algorithm>

#include "base/text.h"

namespace pf::document {
namespace {

struct Fence {
  char mark = 0;
  std::size_t length = 0;
  std::string_view info;
};

Fence fence_at(std::string_view line) {
  const auto from = line.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  line.remove_prefix(from);
  if (line[0] != '`' && line[0] != '~') return {};
  const auto to = std::min(line.find_first_not_of(line[0]), line.size());
  if (to < 3) return {};
  return {line[0], to, trim_right(line.substr(to))};
}

}  // namespace

std::string_view trim_right(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
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
  const auto from = line.text.find_first_not_of(" \t");
  if (from == std::string_view::npos || !line.text.substr(from).starts_with("<!--")) return false;
  comment_ = line.text.find("-->", from + 4) == std::string_view::npos;
  return true;
}

int first_bad_line(std::string_view text) {
  for (const TextLine& line : lines_of(text))
    if (!is_utf8(line.text)) return line.number;
  return 1;
}

}  // namespace pf::document
