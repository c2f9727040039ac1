#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "bubble/domain/state.h"

// What people and agents read. Pure; agent text is made printable.
namespace pf::bubble {

// The event as one line: what happened and who is next. Empty for events nobody needs to read
// about.
std::string describe(const Event& event);

// What waits for the human.
using pf::InboxItem;
std::vector<InboxItem> inbox_of(const State& state);

// `007-codex-pass.md`; empty for events that get no file.
std::string message_file(const Event& event);
// The event as Markdown for agents and people.
std::string message_text(const Event& event);

// The paths an agent is told.
struct Places {
  std::string worktree;
  std::string messages;  // directory of message files
  std::string artifacts;
  std::string build = {};  // where a reviewer with a checkout of its own can build
};
// Role, rules, commands, task: what a new process has to know.
std::string briefing_text(const State& state, const AgentName& agent, const Places& places);
// All an agent needs for its turn (or why it is to wait), so that a repeated line is harmless.
// `since`: paths in which the worktree is not what was handed over last.
std::string turn_text(const State& state, const AgentName& agent, const Places& places,
                      const std::vector<std::string>& since = {});
// One fixed line; carries ids and paths only, never what an agent wrote. Begins with the number of
// its cause, by which it is recognised when the agent's program says that it took it.
inline constexpr std::string_view kLineStart = "[pairflow #";
std::string delivery_line(const State& state, const AgentName& agent, const Delivery& delivery,
                          const Places& places);
// The cause of a line of ours; none for what anybody else wrote.
Seq line_number(std::string_view prompt);

}  // namespace pf::bubble
