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

// git, tmux, the sandbox and the configured agents' programs. Looks, and changes nothing.
std::vector<Diagnosis> examine(Os& os, const Settings& settings);

}  // namespace pf
