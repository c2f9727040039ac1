#pragma once
#include "os/os.h"
#include "os/posix_clock.h"
#include "os/posix_environment.h"
#include "os/posix_files.h"
#include "os/posix_processes.h"
#include "os/posix_random.h"

namespace pf {

// The real seams of this process.
struct PosixOs {
  PosixEnvironment env;  // first: it makes sure that the standard streams are open
  PosixFiles files;
  PosixProcesses processes;
  PosixClock clock;
  PosixRandom random;

  Os os() { return {files, processes, clock, random, env}; }
};

}  // namespace pf
