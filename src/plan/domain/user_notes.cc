#include "plan/domain/user_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf::plan {

std::string in_words(const UserNote& note) {
  std::string out = fmt::format("- On step {}", printable(note.step));
  if (!note.question.empty())
    out += fmt::format(", the {} asked:\n{}  and the user answered:\n", note.asked_by,
                       fenced(trim(note.question), "  > "));
  else
    out += ", the user said:\n";
  return out + fenced(trim(note.text), "  > ");
}

std::vector<const UserNote*> told_notes(const State& state) {
  std::vector<const UserNote*> told;
  std::size_t size = 0;
  for (auto note = state.user_notes.rbegin(); note != state.user_notes.rend(); ++note) {
    size += in_words(*note).size();
    if (size > kMaxUserNotes && !told.empty()) break;
    told.push_back(&*note);
  }
  std::ranges::reverse(told);
  return told;
}

std::string note_numbers(const State& state) {
  std::vector<std::string> numbers;
  for (const UserNote& note : state.user_notes) numbers.push_back(std::to_string(note.number));
  return join(numbers, ", ");
}

}  // namespace pf::plan
