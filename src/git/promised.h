#pragma once
#include <set>
#include <string>

#include "git/repository.h"
#include "os/os.h"

namespace pf {

// Whether a remote has promised objects that this repository lacks.
Result<bool> is_partial_clone(Os& os, const Repository& repository);

// In a partial clone, brings what is missing of a tree's files from the remote that has promised
// it, before anything confined needs it: there is no network in there. What is at `left_out` alone
// is not wanted, but for the files with rules. A machine error when the remote cannot be reached;
// in any other repository nothing happens.
Status fetch_promised(Os& os, const Repository& repository, const std::string& tree,
                      const std::set<std::string>& left_out = {});

}  // namespace pf
