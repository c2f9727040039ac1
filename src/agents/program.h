#pragma once
#include "agents/kind.h"
#include "os/os.h"

namespace pf {

// Refuses when the program that starts this agent is not on PATH or not executable: better said
// before its pane is opened than by a pane that dies. A relative path with a slash belongs to the
// worktree and is not looked at. An agent that names no program for this way of running is a usage
// error.
Status check_program(Os& os, const AgentSettings& agent, bool headless = false);

// What an agent's program says it is.
struct ProgramVersion {
  std::string text;    // "claude 2.1.325"; "" for kinds whose programs are not asked
  bool tried = false;  // it is among the versions this build was tried with
  // The text, and what is doubtful about it.
  std::string in_words() const;
};

// The first number of the form 1.2.3 in what `--version` printed, judged by its kind.
// Pure.
ProgramVersion judge_version(const AgentKind& kind, std::string_view printed);

// Asks the agent's program; one that does not say is unknown, not an error.
ProgramVersion ask_version(Os& os, const AgentSettings& agent);

}  // namespace pf
