#pragma once
#include "config/settings.h"
#include "os/os.h"

namespace pf {

// Refuses when the program that starts this agent is not on PATH or not executable: better said
// before its pane is opened than by a pane that dies. A relative path with a slash belongs to the
// worktree and is not looked at. An agent that names no program for this way of running is a usage
// error.
Status check_program(Os& os, const AgentSettings& agent, bool headless = false);

}  // namespace pf
