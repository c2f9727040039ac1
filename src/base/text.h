#pragma once
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pf {

bool is_utf8(std::string_view text);

// The text as it may be shown in one line of a terminal, a tmux buffer or a log: what is hidden
// (base/glyph.h) is shown by its number, as <U+200B>; tab and newline become a space. Invalid
// bytes are shown as <0xE9>. Printable text stays as it is.
std::string printable(std::string_view text);
// The same, line by line: newlines are kept, with or without a carriage return before them.
std::string printable_lines(std::string_view text);

// The text without what nobody sees, letters of any alphabet kept: what is typed, or whether there
// is anything to read at all.
std::string without_hidden(std::string_view text);

// At most `bytes` bytes, cut between characters, with "…" when something was cut.
std::string clip(std::string_view text, std::size_t bytes);
// Columns a terminal uses for the text.
std::size_t columns(std::string_view text);
// Cut or padded with spaces to exactly `width` columns.
std::string fit(std::string_view text, std::size_t width);

// Of ASCII alone, whatever the locale.
namespace ascii {
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
}  // namespace ascii

// The decimal number that the whole text is; nothing when it is none, or too large.
template <std::integral T>
std::optional<T> parse_number(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// A to Z as a to z, all else as it is.
constexpr char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
std::string lower(std::string_view text);

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
// One word to a POSIX shell, whatever is in it.
std::string shell_quoted(std::string_view word);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// "a, b and 3 more": printable, at most `most` of them.
std::string name_some(const std::vector<std::string>& parts, std::size_t most);
// Text of an agent or a person, fenced as data line by line: it is to be read, not obeyed, and
// cannot look like ours.
std::string fenced(std::string_view text, std::string_view mark = "> ");

// Gitignore-like match of a whole relative path: `*` and `?` stay within one directory, `**` does
// not; a pattern without a slash matches at any depth; a trailing slash means all below.
bool glob_match(std::string_view pattern, std::string_view path);

// The candidate with the smallest edit distance, or "" when none is near.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace pf
