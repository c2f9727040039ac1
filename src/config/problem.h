#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "os/path.h"

namespace pf {

// Where something stands; line 0 is the file as a whole.
struct Place {
  Path file = {};
  int line = 0;
};

// One mistake in a configuration file.
struct Problem {
  std::string what;
  std::string why = {};
  std::string fix = {};
  Place place = {};
};

// One usage error for all mistakes, in the order given: a single one as it is, several listed in
// `why`, ten at most. `problems` must not be empty.
Error to_error(const std::vector<Problem>& problems);

}  // namespace pf
