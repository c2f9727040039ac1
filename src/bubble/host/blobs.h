#pragma once
#include "bubble/host/loop.h"

// Bodies that are too long for the journal, stored under their hash before the line that names
// them.
namespace pf {

Result<Hash> keep_blob(Os& os, const BubblePaths& paths, std::string_view bytes);
// Damaged when it is missing or not what it was.
Result<std::string> read_blob(Os& os, const BubblePaths& paths, const Hash& hash);

}  // namespace pf
