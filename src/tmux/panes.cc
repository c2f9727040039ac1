#include "tmux/panes.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace pf {
namespace {

// In the order of pane_format().
// clang-format off
enum Column {
  kPane, kSelf, kBubble, kHolder, kKey, kLaunch, kPasted, kSubmitted, kPid, kDead, kBusy, kCode,
  kSignal, kColumns
};
// clang-format on

// An empty option counts as zero.
template <class T>
bool read_number(std::string_view text, T& value) {
  const auto number = parse_number<T>(text.empty() ? "0" : text);
  value = number.value_or(0);
  return number.has_value();
}

bool read_seq(std::string_view text, Seq& seq) {
  std::uint64_t value = 0;
  if (!read_number(text, value)) return false;
  seq = static_cast<Seq>(value);
  return true;
}

std::optional<PaneSeen> parse_pane(std::string_view line, std::string_view bubble) {
  const auto column = split(line, '|');
  if (column.size() != kColumns || !is_pane_id(column[kPane])) return std::nullopt;
  if (column[kSelf] != column[kPane] || column[kBubble] != bubble) return std::nullopt;
  if (!is_word(column[kHolder])) return std::nullopt;
  if (!column[kKey].empty() && !is_key(column[kKey])) return std::nullopt;
  PaneSeen seen;
  int signal = 0;
  if (!read_seq(column[kLaunch], seen.launch) || !read_seq(column[kPasted], seen.pasted) ||
      !read_seq(column[kSubmitted], seen.submitted) || !read_number(column[kPid], seen.pid) ||
      !read_number(column[kCode], seen.exit_code) || !read_number(column[kSignal], signal))
    return std::nullopt;
  seen.pane = column[kPane];
  seen.holder = column[kHolder];
  seen.key = column[kKey];
  seen.dead = column[kDead] == "1";
  seen.in_mode = column[kBusy] == "1";
  if (seen.dead) seen.pid = 0;
  if (signal != 0) seen.exit_code = 128 + signal;
  if (seen.dead && signal == 0 && column[kCode].empty()) seen.exit_code = -1;
  return seen;
}

bool is_all_of(std::string_view text, std::size_t most, std::string_view good) {
  return !text.empty() && text.size() <= most && text.find_first_not_of(good) == text.npos;
}

}  // namespace

std::string pane_format() {
  return join({"#{pane_id}", "#{@pf_pane}", "#{@pf_bubble}", "#{@pf_holder}", "#{@pf_key}",
               "#{@pf_launch}", "#{@pf_pasted}", "#{@pf_submitted}", "#{pane_pid}", "#{pane_dead}",
               std::string(kBusyFormat), "#{pane_dead_status}", "#{pane_dead_signal}"},
              "|");
}

std::vector<PaneSeen> parse_panes(std::string_view lines, std::string_view bubble) {
  std::vector<PaneSeen> panes;
  for (const auto line : split(lines, '\n'))
    if (auto pane = parse_pane(line, bubble)) panes.push_back(std::move(*pane));
  return panes;
}

const PaneSeen* find_holder(const std::vector<PaneSeen>& panes, std::string_view holder) {
  const auto found = std::ranges::find(panes, holder, &PaneSeen::holder);
  return found == panes.end() ? nullptr : &*found;
}

bool is_pane_id(std::string_view text) {
  return text.starts_with('%') && is_all_of(text.substr(1), 10, "0123456789");
}

bool is_key(std::string_view text) { return is_all_of(text, 64, "0123456789abcdef"); }

bool is_word(std::string_view text) {
  return is_all_of(text, 40, "0123456789abcdefghijklmnopqrstuvwxyz_-");
}

}  // namespace pf
