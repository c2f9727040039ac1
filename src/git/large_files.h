#pragma once
#include <string>
#include <vector>

#include "git/git.h"
#include "git/repository.h"

namespace pf {

// Files whose content git-lfs keeps beside the objects, in a store where each is named by its
// SHA-256; the tree has a pointer. A confined filter gets a store of its own, and finds what the
// repository's has as that of an alternate.

// The repository's store, by the configuration of a git directory.
Result<Path> large_file_store(const Git& rules, const Repository& repository);
// Moves what a filter has left in `from` into the store, if its SHA-256 is its name and the store
// does not have it; everything else is left where it is.
Status import_large_files(Os& os, const Path& from, const Path& store);
// Files of the tree that are pointers to what the store does not have, sorted.
Result<std::vector<std::string>> missing_large_files(const Git& rules, const Path& store,
                                                     const std::string& tree);

}  // namespace pf
