#pragma once
#include <string>
#include <vector>

#include "verbs/core/verb.h"

namespace pf {

// The whole program: parses, runs the verb, prints, and gives the exit code.
int run_command_line(Os& os, const Path& invoked_as, std::vector<std::string> words, Table table);

}  // namespace pf
