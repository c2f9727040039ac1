#pragma once
#include "verbs/core/verb.h"

namespace pf {

// Why a command line cannot be used: names the word that is wrong, the nearest one there is and the
// help to read. `reason` is the parser's own, for what is wrong with a value.
Error wrong_line(const std::vector<Verb>& table, const std::vector<std::string>& words,
                 std::string_view program, std::string_view reason);

}  // namespace pf
