#pragma once
#include "agents/scripted/scenario.h"
#include "agents/stream.h"

namespace pf {

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

}  // namespace pf
