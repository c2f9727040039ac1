#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/glyph.h"

namespace pf {
namespace {

// Each hidden character becomes what `show` makes of it; tabs become spaces.
std::string cleaned(std::string_view text, bool keep_lines, auto&& show) {
  std::string out;
  out.reserve(text.size());
  const auto copy = [&](std::string_view part) {
    for (const char c : part) out += c == '\t' || (c == '\n' && !keep_lines) ? ' ' : c;
  };
  std::size_t done = 0;
  for (const HiddenGlyph& hidden : hidden_glyphs(text)) {
    copy(text.substr(done, hidden.at - done));
    done = hidden.at + hidden.glyph.bytes;
    const auto rest = text.substr(hidden.at);
    const bool ends_line = rest.starts_with("\r\n") || (keep_lines && rest == "\r");
    if (!ends_line) out += show(hidden, text.substr(hidden.at, hidden.glyph.bytes));
  }
  copy(text.substr(done));
  return out;
}

std::string by_number(const HiddenGlyph& hidden, std::string_view) {
  return shown_by_number(hidden.glyph);
}

// Of a text that was cut: a joiner that joins nothing any more would be shown by its number.
void drop_joiner(std::string& text) {
  constexpr std::string_view kEndingJoiner = "\u200d", kEndingNonJoiner = "\u200c";
  if (text.ends_with(kEndingJoiner) || text.ends_with(kEndingNonJoiner))
    text.resize(text.size() - kEndingJoiner.size());
}

bool match_here(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    if (pattern.starts_with("**")) {
      pattern.remove_prefix(2);
      if (pattern.starts_with("/") && match_here(pattern.substr(1), path)) return true;
      for (std::size_t i = 0; i <= path.size(); ++i)
        if (match_here(pattern, path.substr(i))) return true;
      return false;
    }
    if (pattern[0] == '*') {
      pattern.remove_prefix(1);
      for (std::size_t i = 0; i <= path.size(); ++i) {
        if (match_here(pattern, path.substr(i))) return true;
        if (i < path.size() && path[i] == '/') return false;
      }
      return false;
    }
    if (path.empty()) return false;
    if (pattern[0] == '?' ? path[0] == '/' : pattern[0] != path[0]) return false;
    pattern.remove_prefix(1);
    path.remove_prefix(1);
  }
  return path.empty();
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (glyph.code < 0) return false;
    text.remove_prefix(glyph.bytes);
  }
  return true;
}

std::string printable(std::string_view text) { return cleaned(text, false, by_number); }
std::string printable_lines(std::string_view text) { return cleaned(text, true, by_number); }

std::string without_hidden(std::string_view text) {
  return cleaned(text, true, [](const HiddenGlyph& hidden, std::string_view bytes) {
    if (hidden.letter) return std::string(bytes);
    return hidden.glyph.code < 0 ? shown_by_number(hidden.glyph) : std::string();
  });
}

std::string clip(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  constexpr std::string_view kEllipsis = "…";
  std::size_t end = bytes > kEllipsis.size() ? bytes - kEllipsis.size() : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  std::string out(text.substr(0, end));
  drop_joiner(out);
  return out + std::string(kEllipsis);
}

std::size_t columns(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    width += columns_of(glyph);
    text.remove_prefix(glyph.bytes);
  }
  return width;
}

std::string fit(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  const bool cut = columns(text) > width;
  const std::size_t room = cut && width > 0 ? width - 1 : width;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    if (used + columns_of(glyph) > room) break;
    used += columns_of(glyph);
    out += text.substr(0, glyph.bytes);
    text.remove_prefix(glyph.bytes);
  }
  if (cut && width > 0) {
    drop_joiner(out);
    out += "…";
    ++used;
  }
  out.append(width - used, ' ');
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower_letter(c);
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string shell_quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string name_some(const std::vector<std::string>& parts, std::size_t most) {
  std::vector<std::string> named;
  for (const std::string& part : parts)
    if (named.size() < most) named.push_back(printable(part));
  const std::size_t more = parts.size() - named.size();
  return join(named, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string fenced(std::string_view text, std::string_view mark) {
  std::string out;
  const std::string clean = printable_lines(text);
  for (const auto line : split(clean, '\n')) out += fmt::format("{}{}\n", mark, line);
  return out;
}

bool glob_match(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return false;
  std::string whole(pattern);
  if (whole.starts_with("/")) {
    whole.erase(0, 1);
  } else if (whole.find('/') >= whole.size() - 1) {
    whole.insert(0, "**/");
  }
  if (whole.ends_with("/")) whole += "**";
  return match_here(whole, path);
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace pf
