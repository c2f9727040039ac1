#pragma once
#include <set>

#include "git/raw_changes.h"
#include "git/repository.h"

namespace pf {

// The tree with these changes, as an object; `scratch` names files to be made meanwhile.
Result<TreeId> changed_tree(Os& os, const Repository& repository, const Path& scratch,
                            const std::string& tree, const std::vector<RawChange>& changes);
// The tree with these paths as they are in `other`.
Result<TreeId> tree_with_paths_of(Os& os, const Repository& repository, const Path& scratch,
                                  const std::string& tree, const std::string& other,
                                  const std::set<std::string>& paths);

}  // namespace pf
