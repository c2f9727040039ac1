#pragma once
#include <string>
#include <vector>

#include "verbs/core/verb.h"

namespace pf {

// The whole program: parses, runs the verb, prints, and gives the exit code. `others` are commands
// beside the table's: those that start another front end.
int run_command_line(Os& os, const Path& invoked_as, std::vector<std::string> words,
                     const std::vector<Verb>& others);

}  // namespace pf
