#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Cuts what control mode writes into lines. Of one that is very long, as a repainted screen is,
// only the beginning is kept: it says what the line is.
class ControlReader {
 public:
  std::vector<ControlEvent> feed(std::string_view bytes);

 private:
  static constexpr std::size_t kKept = 4096;
  std::string line_;
};

}  // namespace pf
