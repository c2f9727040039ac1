#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "plan/domain/state.h"

// What people read. Pure; agents' text is made printable.
namespace pf::plan {

// What waits for the user.
std::vector<InboxItem> inbox_of(const State& state);

// The command that answers what the user is asked; while something halts the plan.
std::string answer_command(const State& state);

// "coder_active · claude", "awaiting_user_input (loop_guard)": who has the turn, for a header.
std::string turn_text(const State& state);
// "step 2 of 5: Print (needs-changes)"
std::string step_text(const State& state);
// "change requests 2 of 3", with "parked" when the guard stands.
std::string guard_text(const State& state);
// One line for each step, the active one marked.
std::vector<std::string> step_lines(const State& state);

}  // namespace pf::plan
