#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace pf {

// What one line of tmux's control mode means for us.
struct ControlEvent {
  enum class Kind {
    mode_changed,    // `pane` entered or left copy mode, a menu…; panes of other sessions too
    painted,         // `pane` shows something new
    layout_changed,  // a pane or window came, went or moved: observe again
    ended,           // session or server is gone, or we were detached; no line follows
  };
  Kind kind;
  std::string pane = {};  // %3, of mode_changed and painted
  friend bool operator==(const ControlEvent&, const ControlEvent&) = default;
};

// Nothing for lines that do not concern us: replies, other notifications, garbage.
std::optional<ControlEvent> parse_control_line(std::string_view line);

}  // namespace pf
