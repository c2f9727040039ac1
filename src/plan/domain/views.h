#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "plan/domain/state.h"

// What people read. Pure; agents' text is made printable.
namespace pf::plan {

// "[coder]", "[coder:bash]", "[reviewer:ask-user]": whose words a line of the stream are.
std::string prefix(Role role, std::string_view tool = {});
// The event in the stream, with all that was said; may have several lines.
struct Told {
  std::string prefix, text;
};
Told tell(const Event& event);
// The same as one line: prefix, what happened, what was said (clipped), who is next.
std::string describe(const Event& event);

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
