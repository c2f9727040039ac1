#pragma once
#include <vector>

#include "os/files.h"

namespace pf {

// The entries without "." and "..", sorted by name; empty when the directory is missing.
Result<std::vector<Entry>> list_directory(const Path& directory);

}  // namespace pf
