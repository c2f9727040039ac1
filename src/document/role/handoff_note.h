#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pf::document {

inline constexpr std::size_t kMaxNoteLines = 12;
inline constexpr std::size_t kMaxNoteLine = 200;  // characters

// The rule that a handoff or blocker note breaks: at most 12 lines of at most 200 characters, no
// code fence, no diff, no control characters. Nothing when it keeps them all.
std::optional<std::string> note_problem(std::string_view note);

// The lines as a note that keeps its rules: printable, clipped, no fences, at most twelve lines.
std::string note_of(const std::vector<std::string>& lines);

// What to do about a note that breaks one.
inline constexpr std::string_view kNoteFix =
    "write paths and task ids instead of code, in at most 12 lines of at most 200 characters";

}  // namespace pf::document
