#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "role/domain/state.h"

// What people read. Pure; agents' text is made printable.
namespace pf::role {

// The event as one line of the log: whose it is, what happened, whose turn it is then.
std::string describe(const Event& event);

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

// What an agent is told, by the table that the decider refuses by: the rules of one role, for
// repositories that let agents read them themselves.
std::string briefing_of(Role role, const Policy& policy);
// What a launched agent finds around it; "" for what is not there.
struct Surroundings {
  std::string task = {};                 // the file of the task at hand
  std::vector<std::string> checks = {};  // commands, in their order
  std::string build = {};                // where one that cannot write the checkout can build
};
// The same with how things stand: the note, feature, task, branch, autopilot, checks.
std::string briefing_for(const State& state, Role role, bool sent_back,
                         const Surroundings& around = {});

}  // namespace pf::role
