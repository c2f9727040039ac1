#pragma once
#include "loop/paths.h"

namespace pf {

// A deleted repository rings nobody: so every process that waits looks again after this.
inline constexpr Duration kLongestSleep = std::chrono::hours(1);

// A process that performs for one loop, away from every terminal: a bubble's supervisor, the driver
// of a plan or of the roles. It holds the loop's lease for as long as it lives.
struct Detached {
  std::string what;                // "supervisor", for people
  std::vector<std::string> words;  // of this program
  LoopPaths paths;                 // of its loop; it runs in the repository
  std::string marker = {};         // PAIRFLOW_SUPERVISOR, below which nobody is the human
};

// Ends one that nobody can reach any more because its bells were deleted.
Status end_deaf(Os& os, const Detached& process);
// Starts it unless one runs that can be reached; returns once it has settled what was outstanding.
// Harmless twice.
Status ensure_running(Os& os, const Detached& process);

}  // namespace pf
