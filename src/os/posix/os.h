#pragma once
#include "os/os.h"
#include "os/posix/clock.h"
#include "os/posix/environment.h"
#include "os/posix/files.h"
#include "os/posix/processes.h"
#include "os/posix/random.h"

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
