#pragma once
#include "agents/kind.h"
#include "os/os.h"

namespace pf {

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
