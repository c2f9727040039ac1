#pragma once
#include "base/facts.h"

namespace pf {

// One printable line for each file: "M    +12     −3  src/a.cc".
std::string diffstat(const std::vector<ChangedFile>& changed);

}  // namespace pf
