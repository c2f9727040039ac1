#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "role/domain/reading.h"
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

// Blocked, and the agents go on: another role's agent is asked, not the human.
bool is_being_answered(const State& state);
// "CODER in_progress · claude since 2026-…", for a header.
std::string turn_text(const State& state);
// "F001 Login on feat/F001-login, T02", or "no feature".
std::string work_text(const State& state);
// "review_only", or "off (state.json says full; nobody has ordered it)".
std::string autopilot_text(const State& state);
// What becomes of a feature that was declined, and what else can be done about it.
std::string declined_text(const Landing& landing);
// One line for each landing that is not over.
std::vector<std::string> landing_lines(const State& state);

// What an agent is told, by the table that the decider refuses by: the rules of one role, for
// repositories that let agents read them themselves.
std::string briefing_of(Role role, const Policy& policy);
// What an agent is told of what it finds around it.
struct Around {
  std::string task_file = {};              // of the task at hand; "" when it is not known
  std::vector<std::string> features = {};  // that can be chosen next
  bool has_roadmap = true;                 // that is sound
  std::vector<std::string> checks = {};    // commands, in their order
  std::string build = {};                  // where one that cannot write the checkout can build
};
Around around_of(const State& state, const Reading& reading);
// The briefing of one role with how things stand: the note, feature, task, branch, autopilot, and
// what is to be done now.
std::string briefing_for(const State& state, Role role, bool sent_back, const Around& around = {});
// What the role is to do now, with the commands that end its turn, each on a line of its own.
// `started`: it was taken already.
std::string to_do(const State& state, Role role, bool started, const Around& around);

}  // namespace pf::role
