#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "role/domain/state.h"

// What people read. Pure; agents' text is made printable.
namespace pf::role {

// Why the agents rest when there is nothing left to do; nobody is waited for then.
inline constexpr std::string_view kAllFinished = "every feature of the roadmap is finished";

// What waits for the human: commits and merges, questions, files that are not sound, an autopilot
// that nobody has ordered, agents that rest.
std::vector<InboxItem> inbox_of(const State& state);

// "CODER in_progress · claude since 2026-…", for a header.
std::string turn_text(const State& state);
// "F001 Login on feat/F001-login, T02", or "no feature".
std::string work_text(const State& state);
// "review_only", or "off (state.json says full; nobody has ordered it)".
std::string autopilot_text(const State& state);
// One line for each landing that is not over.
std::vector<std::string> landing_lines(const State& state);

}  // namespace pf::role
