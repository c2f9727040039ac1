#include "tmux/control.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "tmux/panes.h"

namespace pf {

std::optional<ControlEvent> parse_control_line(std::string_view line) {
  constexpr std::array<std::string_view, 5> kLayout = {"%layout-change", "%window-pane-changed",
                                                       "%window-add", "%window-close",
                                                       "%unlinked-window-close"};
  const auto words = split(trim(line), ' ');
  if (words[0] == "%exit") return ControlEvent{ControlEvent::Kind::ended};
  if (words[0] == "%output" && words.size() > 1 && is_pane_id(words[1]))
    return ControlEvent{ControlEvent::Kind::painted, std::string(words[1])};
  if (words[0] == "%pane-mode-changed" && words.size() == 2 && is_pane_id(words[1]))
    return ControlEvent{ControlEvent::Kind::mode_changed, std::string(words[1])};
  if (std::ranges::find(kLayout, words[0]) != kLayout.end())
    return ControlEvent{ControlEvent::Kind::layout_changed};
  return std::nullopt;
}

std::vector<ControlEvent> ControlReader::feed(std::string_view bytes) {
  std::vector<ControlEvent> events;
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    line_ += part.substr(0, kKept - std::min(kKept, line_.size()));
    if (end == std::string_view::npos) break;
    if (auto event = parse_control_line(line_)) events.push_back(std::move(*event));
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
  return events;
}

}  // namespace pf
