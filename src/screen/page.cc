#include "screen/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace pf::status {
namespace {

constexpr std::size_t kLongestText = 8u << 10;  // bytes of one piece; no screen shows more

std::string sgr(Style style, const Ink& ink) {
  switch (style) {
    case Style::plain: return "";
    case Style::dim: return "2";
    case Style::strong: return "1";
    case Style::accent: return std::to_string(ink.accent);
    case Style::badge: return fmt::format("1;7;{}", ink.accent);
    case Style::good: return "32";
    case Style::warn: return "33";
    case Style::bad: return "31";
  }
  return "";
}

std::string painted(std::string text, Style style, const Ink& ink) {
  const std::string code = sgr(style, ink);
  if (!ink.colour || code.empty() || text.empty()) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

// The bytes at the front of `text` that fill at most `width` columns; one character at least.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    used += columns(text.substr(at, end - at));
    if (used > width && at > 0) return at;
    at = end;
  }
  return text.size();
}

// Where the row that begins `text` ends: after the last word that fits, else within a long word.
std::size_t row_end(std::string_view text, std::size_t width) {
  const std::size_t room = bytes_within(text, width);
  if (room == text.size() || text[room] == ' ') return room;
  const auto space = text.rfind(' ', room);
  return space == std::string_view::npos ? room : space;
}

// How many rows each section gets.
std::vector<std::size_t> shares(const std::vector<Section>& sections, std::size_t height) {
  std::vector<std::size_t> order(sections.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sections[i].rank; });
  std::vector<std::size_t> share(sections.size());
  const auto grant = [&](std::size_t i, std::size_t wanted) {
    const std::size_t more = std::min(wanted - share[i], height);
    share[i] += more;
    height -= more;
  };
  for (const std::size_t i : order) grant(i, std::min(sections[i].least, sections[i].rows.size()));
  for (const std::size_t i : order) grant(i, sections[i].rows.size());
  return share;
}

std::vector<Row> cut_to(const Section& section, std::size_t share) {
  const auto& rows = section.rows;
  const auto count = static_cast<std::ptrdiff_t>(share);
  if (section.newest_last) return {rows.end() - count, rows.end()};
  std::vector<Row> kept(rows.begin(), rows.begin() + count);
  if (share < rows.size() && share > 1 && !section.more.empty())
    kept.back() = Row(fmt::format("… {} {}", rows.size() - share + 1, section.more), Style::dim);
  return kept;
}

}  // namespace

Row& Row::add(std::string_view text, Style style) {
  spans_.push_back({printable(clip(text, kLongestText)), style});
  return *this;
}

Row& Row::add(const Row& other) {
  spans_.insert(spans_.end(), other.spans_.begin(), other.spans_.end());
  return *this;
}

std::size_t Row::columns() const {
  std::size_t sum = 0;
  for (const Span& span : spans_) sum += pf::columns(span.text);
  return sum;
}

std::string Row::paint(std::size_t width, const Ink& ink) const {
  std::string out;
  std::size_t rest = columns();
  for (const Span& span : spans_) {
    const std::size_t mine = pf::columns(span.text);
    const bool cut = mine > width || (mine == width && rest > mine);
    // Longer than there is room for, so that fit() shows that something is missing.
    if (cut) return out + painted(fit(span.text + "……", width), span.style, ink);
    out += painted(span.text, span.style, ink);
    width -= mine;
    rest -= mine;
  }
  return out.append(width, ' ');
}

std::vector<Row> wrap(Row lead, std::string_view text, Style style, std::size_t indent,
                      std::size_t width, std::size_t most) {
  const std::string clean = printable(clip(text, kLongestText));
  std::string_view left = trim(clean);
  std::vector<Row> rows;
  Row row = std::move(lead);
  while (rows.size() + 1 < most) {
    const std::size_t taken = row.columns();
    const std::size_t end = row_end(left, width > taken ? width - taken : 1);
    if (end == left.size()) break;
    rows.push_back(row.add(left.substr(0, end), style));
    left = trim(left.substr(end));
    row = Row(std::string(indent, ' '));
  }
  rows.push_back(row.add(left, style));
  return rows;
}

std::vector<Row> stack(const std::vector<Section>& sections, std::size_t gutter,
                       std::size_t height) {
  // Blank rows are worth more than old news, and less than anything else.
  std::size_t needed = 0, blanks = 0;
  for (const Section& section : sections) {
    const std::size_t all = section.rows.size();
    needed += section.newest_last ? std::min(section.least, all) : all;
    if (section.apart && all > 0) ++blanks;
  }
  const auto share = shares(sections, needed + blanks <= height ? height - blanks : height);
  std::size_t free = height - std::accumulate(share.begin(), share.end(), std::size_t{0});
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (share[i] == 0) continue;
    if (sections[i].apart && !rows.empty() && free > 0) {
      rows.emplace_back();
      --free;
    }
    std::string label = sections[i].label;
    for (const Row& row : cut_to(sections[i], share[i])) {
      Row whole;
      if (gutter > 0) whole.add(fit(label, gutter), sections[i].label_style);
      rows.push_back(whole.add(row));
      label.clear();
    }
  }
  return rows;
}

}  // namespace pf::status
