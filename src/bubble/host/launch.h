#pragma once
#include "agents/program.h"
#include "bubble/host/loop.h"

namespace pf {

// Everything one launch of an agent's process is made of.
struct PreparedLaunch {
  LaunchSpec spec;
  bubble::ReportLaunch report;  // without the pane
};

// Writes the plan that the pane's process goes by, the briefing and the copies of the user's files.
// What must be known of the process afterwards is in the plan too, should we die before it is
// filed.
Result<PreparedLaunch> prepare_launch(BubbleLoop& loop, const bubble::State& state,
                                      const bubble::LaunchAgent& effect,
                                      const ProgramVersion& version);
// What to file about a process that was launched by the plan on disk.
Result<bubble::ReportLaunch> launched_by_plan(BubbleLoop& loop, const bubble::RecordLaunch& effect);

}  // namespace pf
