#pragma once
#include "role/host/loop.h"

namespace pf {

// This program with these words, in the repository, as a process that ends when we do. What it says
// comes out of its descriptor, errors go to the loop's log. `name` tells such processes apart.
Result<std::unique_ptr<PipedChild>> start_own_process(RoleLoop& loop, const std::string& name,
                                                      std::vector<std::string> words);

}  // namespace pf
