#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tmux/session.h"

namespace pf {

inline constexpr std::string_view kStatusHolder = "status";

// True in a tmux format when keys would not reach the pane's process alone: copy mode or a menu,
// input switched off, or keys copied to all panes of the window.
inline constexpr std::string_view kBusyFormat =
    "#{||:#{pane_in_mode},#{||:#{pane_input_off},#{pane_synchronized}}}";

// The tmux format of the one line per pane that parse_panes reads.
std::string pane_format();

// The panes of `bubble` in `lines`. A pane without our tags, with another bubble's, or with tags
// copied from another pane is left out.
std::vector<PaneSeen> parse_panes(std::string_view lines, std::string_view bubble);

// The first pane of that holder, or null.
const PaneSeen* find_holder(const std::vector<PaneSeen>& panes, std::string_view holder);

bool is_pane_id(std::string_view text);  // %3
bool is_key(std::string_view text);      // lower-case hex, at most 64
bool is_word(std::string_view text);     // a-z, 0-9, '_', '-', at most 40: safe in any tmux format

}  // namespace pf
