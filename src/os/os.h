#pragma once
#include "os/clock.h"
#include "os/environment.h"
#include "os/files.h"
#include "os/processes.h"
#include "os/random.h"

namespace pf {

// The five seams. Nothing outside os/ touches the operating system.
struct Os {
  Files& files;
  Processes& processes;
  Clock& clock;
  Random& random;
  Environment& env;
};

}  // namespace pf
