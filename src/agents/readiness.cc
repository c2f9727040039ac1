#include "agents/readiness.h"

#include <array>
#include <vector>

#include "base/text.h"

namespace pf {
namespace {

struct Look {
  std::string_view kind;
  std::string_view box;     // how the line of the input box begins
  std::string_view empty;   // what follows when nothing is typed
  std::string_view beside;  // in some line below it: the box alone is painted before it works
};

constexpr std::array<Look, 2> kLooks = {
    {{"claude", "❯", "", ""}, {"codex", "›", "Ask Codex to do anything", " · /"}}};

constexpr std::size_t kLastLines = 8;
constexpr std::string_view kNoBreakSpace = "\xc2\xa0";

std::string_view without_blanks(std::string_view text) {
  for (;;) {
    const auto before = text.size();
    text = trim(text);
    if (text.starts_with(kNoBreakSpace)) text.remove_prefix(kNoBreakSpace.size());
    if (text.ends_with(kNoBreakSpace)) text.remove_suffix(kNoBreakSpace.size());
    if (text.size() == before) return text;
  }
}

std::vector<std::string_view> last_lines(std::string_view screen) {
  std::vector<std::string_view> lines;
  for (const auto line : split(screen, '\n'))
    if (!without_blanks(line).empty()) lines.push_back(line);
  if (lines.size() > kLastLines)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kLastLines));
  return lines;
}

}  // namespace

InputBox input_box(std::string_view kind, std::string_view screen) {
  const Look* look = nullptr;
  for (const Look& known : kLooks)
    if (known.kind == kind) look = &known;
  if (look == nullptr) return InputBox::unknown;
  bool empty = false;
  bool beside = look->beside.empty();
  for (const auto line : last_lines(screen)) {
    if (line.starts_with(look->box))
      empty = without_blanks(line.substr(look->box.size())) == look->empty;
    beside |= !look->beside.empty() && line.contains(look->beside);
  }
  return empty && beside ? InputBox::empty : InputBox::occupied;
}

}  // namespace pf
