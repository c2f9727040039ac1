#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace pf {

using TmuxCommand = std::vector<std::string>;

// The commands as one line of a tmux script, run as one list: an error stops the rest. Every word
// reaches its command byte for byte, whatever it contains; a NUL is left out.
std::string tmux_script(const std::vector<TmuxCommand>& commands);

// The command that sets a pane's own option. `value` is checked text of ours, never an agent's.
TmuxCommand set_pane_option(std::string_view pane, std::string_view name, std::string value);

}  // namespace pf
