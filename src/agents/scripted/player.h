#pragma once
#include "agents/scripted/scenario.h"
#include "agents/stream.h"
#include "base/ids.h"

namespace pf {

// A scripted agent in its pane. Reads lines; one from pairflow makes it ask `turn --json`, and when
// the turn is its own and not yet played, it plays the scenario's entry with the real commands.
// Trouble is shown and the reading goes on. Returns the code to end with: the scenario's `exit`, or
// 0 at the end of the input.
int play(Os& os, const Scenario& scenario, const AgentName& agent);

// A scripted agent in one headless run of a plan, which PAIRFLOW_PLAN, PAIRFLOW_AGENT,
// PAIRFLOW_ROLE, PAIRFLOW_STEP and PAIRFLOW_ROUND name, in the current directory. Plays the first
// entry that fits with the real commands, and after an answered question the next one. What it does
// is printed by line_of. Returns the code to end with.
//
// `conversation` is what such a run has told, "" for a new one: an entry that gave no work away
// (ask_user, nothing, exit, hang) is not played again in the same conversation.
int play_run(Os& os, const Scenario& scenario, const std::string& conversation);

// The item as one line, which the kind's reader takes.
std::string line_of(const StreamItem& item);

// Writes and removes the turn's files. Refuses a path that passes through a symlink of the
// worktree; what came before it stays done.
Status make_edits(Os& os, const Path& worktree, const ScenarioTurn& turn);

// One line that a shell would read as these words; long ones are cut, nothing in it is a control.
std::string shown_command(const std::vector<std::string>& words);

}  // namespace pf
