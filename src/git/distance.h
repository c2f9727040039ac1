#pragma once
#include <optional>

#include "base/ids.h"
#include "git/repository.h"
#include "os/os.h"

namespace pf {

// How far a branch has moved on from a commit.
struct Distance {
  CommitId since, tip;
  int commits = 0;
};
// Costs a look at a file while the branch has not moved, or is where `known` saw it; nothing when
// there is no such branch or no such commit.
std::optional<Distance> distance_of(Os& os, const Repository& repository, const std::string& branch,
                                    const CommitId& since,
                                    const std::optional<Distance>& known = {});

}  // namespace pf
