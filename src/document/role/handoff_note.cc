#include "document/role/handoff_note.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf::document {
namespace {

bool is_fence(std::string_view line) {
  return trim(line).starts_with("```") || trim(line).starts_with("~~~");
}

bool is_diff(std::string_view line, std::string_view next) {
  if (line.starts_with("diff --git ") || line.starts_with("Index: ")) return true;
  if (line.starts_with("@@ -") && line.find(" @@", 4) != std::string_view::npos) return true;
  return line.starts_with("--- ") && next.starts_with("+++ ");
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  });
}

}  // namespace

std::optional<std::string> note_problem(std::string_view note) {
  if (!is_utf8(note)) return "it must be UTF-8";
  if (has_control(note)) return "it must have no control characters";
  while (note.ends_with('\n')) note.remove_suffix(1);
  const auto lines = split(note, '\n');
  if (lines.size() > kMaxNoteLines)
    return fmt::format("it must have at most {} lines (it has {})", kMaxNoteLines, lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_fence(lines[i])) return fmt::format("it must have no code fence (its line {})", i + 1);
    if (is_diff(lines[i], i + 1 < lines.size() ? lines[i + 1] : std::string_view{}))
      return fmt::format("it must have no diff (its line {})", i + 1);
    if (characters(lines[i]) > kMaxNoteLine)
      return fmt::format("its lines must have at most {} characters (its line {} has {})",
                         kMaxNoteLine, i + 1, characters(lines[i]));
  }
  return std::nullopt;
}

std::string note_of(const std::vector<std::string>& lines) {
  constexpr std::size_t kBytes = kMaxNoteLine - 3;  // the mark of a cut is one character
  std::vector<std::string> kept;
  for (const std::string& line : lines) {
    std::string text = clip(printable(line), kBytes);
    if (note_problem(text)) text = "> " + text;
    if (note_problem(text)) text = "> …";
    if (!trim(text).empty()) kept.push_back(std::move(text));
  }
  if (kept.size() > kMaxNoteLines) {
    kept.resize(kMaxNoteLines - 1);
    kept.emplace_back("…");
  }
  for (std::size_t i = 1; i < kept.size(); ++i)
    if (note_problem(kept[i - 1] + "\n" + kept[i])) kept[i] = "> " + kept[i];
  return join(kept, "\n");
}

}  // namespace pf::document
