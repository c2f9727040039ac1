#include "role/domain/note.h"

#include <algorithm>

#include "base/text.h"
#include "document/role/handoff_note.h"

namespace pf::role {

std::string note_of(const std::vector<std::string>& lines) {
  constexpr std::size_t kBytes = document::kMaxNoteLine - 3;  // the mark of a cut is one character
  std::vector<std::string> kept;
  for (const std::string& line : lines) {
    std::string text = clip(printable(line), kBytes);
    if (document::note_problem(text)) text = "> " + text;
    if (document::note_problem(text)) text = "> …";
    if (!trim(text).empty()) kept.push_back(std::move(text));
  }
  if (kept.size() > document::kMaxNoteLines) {
    kept.resize(document::kMaxNoteLines - 1);
    kept.emplace_back("…");
  }
  for (std::size_t i = 1; i < kept.size(); ++i)
    if (document::note_problem(kept[i - 1] + "\n" + kept[i])) kept[i] = "> " + kept[i];
  return join(kept, "\n");
}

}  // namespace pf::role
