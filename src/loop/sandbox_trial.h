#pragma once
#include "config/settings.h"
#include "os/os.h"

namespace pf {

// Starts a shell as an agent would be, in a scratch repository that is gone afterwards, and lets it
// try what no agent may: the names of what it could do, none when the sandbox holds. An error when
// it does not start.
Result<std::vector<std::string>> try_sandbox(Os& os, const Settings& settings);

// What is tried, for people.
std::string tried_in_words();

}  // namespace pf
