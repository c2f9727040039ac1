#pragma once
#include "loop/agent_process.h"
#include "loop/agent_sandbox.h"
#include "loop/paths.h"

namespace pf {

// What one headless run of an agent is to be.
struct HeadlessRun {
  int number = 0;
  std::string role;  // as the agent is to call it
  AgentName agent;
  bool edits = false;
  Path worktree;
  Path editable = {};  // the part of it that the agent may write; all of it when ""
  // PAIRFLOW_…, by which its commands know loop, run and role.
  std::vector<std::pair<std::string, std::string>> variables = {};
  std::vector<std::string> checks = {};  // besides the configured ones
  std::string prompt = {};
  std::string conversation = {};  // the one to go on with; "" begins one
};

// Its process, and what is known of it.
struct StartedRun {
  std::unique_ptr<AgentRun> process;
  std::string transcript;         // below the loop's directory
  std::string conversation = {};  // the older one that it goes on with
  std::string program = {}, enforcement = {};
};

// Writes prompt and launch plan beside the run's transcript, and the copies of the user's files,
// then starts it. Refuses when the agent is not configured.
Result<StartedRun> start_headless(Os& os, const DrivenPaths& paths, const Settings& settings,
                                  const HeadlessRun& run);

}  // namespace pf
