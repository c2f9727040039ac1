#pragma once
#include <string>

#include "os/path.h"

namespace pf {

// Where one loop's files are, and the command that verifies its journal.
struct LoopFiles {
  std::string id;
  Path journal, snapshot, door, bells;
  std::string verify = {};
};

}  // namespace pf
