#pragma once
#include <string>
#include <vector>

#include "config/settings.h"
#include "os/os.h"

namespace pf {

// One thing that pairflow needs of this machine.
struct Diagnosis {
  enum class Health { good, doubtful, bad };
  std::string what;  // "tmux"
  Health health = Health::good;
  std::string found;  // "3.3a"
  std::string fix = {};
};

// git, tmux, the sandbox, which is tried, the configured agents' programs and what agents left in
// those programs' own directories. Removes the placeholders of agents that are gone.
std::vector<Diagnosis> examine(Os& os, const Settings& settings);

}  // namespace pf
