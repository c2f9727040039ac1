#include "agents/sight.h"

#include <array>
#include <optional>
#include <vector>

#include "agents/kind.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kBoxLines = 8;
constexpr std::size_t kShownLines = 12;
constexpr std::array<std::string_view, 1> kBlanks = {"\xc2\xa0"};
constexpr std::array<std::string_view, 11> kFrames = {"│", "┃", "║", "─", "━",       "═",
                                                      "╭", "╮", "╰", "╯", "\xc2\xa0"};

std::string_view without_frame(std::string_view line) { return stripped(line, kFrames); }

std::vector<std::string_view> last_lines(std::string_view screen, std::size_t most) {
  std::vector<std::string_view> lines;
  for (const auto line : split(screen, '\n'))
    if (!without_frame(line).empty()) lines.push_back(line);
  if (lines.size() > most)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

// "1. Yes" or "2) No": an entry of a menu.
bool is_choice(std::string_view line) {
  line = without_frame(line);
  const auto digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && digits <= 2 &&
         (line[digits] == '.' || line[digits] == ')');
}

// A cursor before one choice, and another choice beside it.
bool offers_choice(const std::vector<std::string_view>& lines, std::string_view cursor) {
  bool chosen = false;
  int choices = 0;
  for (auto line : lines) {
    line = without_frame(line);
    const bool here = line.starts_with(cursor);
    if (here) line.remove_prefix(cursor.size());
    if (!is_choice(line)) continue;
    chosen |= here;
    ++choices;
  }
  return chosen && choices > 1;
}

Look look_of(const AgentSettings& agent) {
  const Look& known = kind_of(agent).look;
  if (!known.box.empty()) return known;
  return {.box = stripped(agent.ready, kBlanks)};  // a screen has no blanks at the end of a line
}

}  // namespace

std::string_view stripped(std::string_view text, std::span<const std::string_view> pieces,
                          bool both_ends) {
  for (std::size_t before = text.size() + 1; text.size() < before;) {
    before = text.size();
    text = trim(text);
    for (const auto piece : pieces) {
      if (text.starts_with(piece)) text.remove_prefix(piece.size());
      if (both_ends && text.ends_with(piece)) text.remove_suffix(piece.size());
    }
  }
  return text;
}

Sight sight_of(const AgentSettings& agent, std::string_view screen) {
  const Look look = look_of(agent);
  if (look.box.empty()) return Sight::unknown;
  if (offers_choice(last_lines(screen, kShownLines), look.box)) return Sight::dialog;
  std::optional<bool> empty;
  bool beside = look.beside.empty();
  for (const auto line : last_lines(screen, kBoxLines)) {
    if (line.starts_with(look.box))
      empty = stripped(line.substr(look.box.size()), kBlanks) == look.empty;
    beside |= !look.beside.empty() && line.contains(look.beside);
  }
  if (!empty || !beside) return Sight::other;
  return *empty ? Sight::ready : Sight::typed;
}

std::string last_words_on(std::string_view screen) {
  std::string words;
  for (const auto line : last_lines(screen, kShownLines)) {
    const auto text = without_frame(line);
    if (!words.empty()) words += " / ";
    words += printable(text);
  }
  return clip(words, 600);
}

}  // namespace pf
