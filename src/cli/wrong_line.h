#pragma once
#include "verbs/core/verb.h"

namespace pf {

// The verb that the line's first words name; nullptr when there is none.
const Verb* verb_in(const Table& table, std::span<const std::string> words);

// Why a command line cannot be used: names the word that is wrong, the nearest one there is and the
// help to read. `reason` is the parser's own, for what is wrong with a value.
Error wrong_line(const Table& table, const std::vector<std::string>& words,
                 std::string_view program, std::string_view reason);

}  // namespace pf
