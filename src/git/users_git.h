#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "git/repository.h"
#include "os/os.h"

// git as a command of the user's starts it: with all of the user's powers, beside files that agents
// can write.
namespace pf {

// Variables under which it runs neither hooks nor a monitor of the files. What the user has set by
// variables stays.
std::vector<std::pair<std::string, std::optional<std::string>>> without_own_programs(Os& os);
// Files of the checkout that its configuration includes, as people read them: whoever writes them
// decides what it runs.
Result<std::vector<std::string>> settings_in_checkout(Os& os, const Repository& repository);

}  // namespace pf
