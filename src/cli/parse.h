#pragma once
#include <variant>

#include "verbs/core/verb.h"

namespace pf {

// What a command line asks for.
struct Parsed {
  const Verb* verb = nullptr;
  Args args;
  bool json = false;
};
// Help or version.
struct Printed {
  std::string text;
};

// `words` without the program's name. Built from the verb table; values of Type::text given as "-"
// are not resolved yet.
std::variant<Parsed, Printed, Error> parse_command_line(const Table& table,
                                                        const std::vector<std::string>& words,
                                                        std::string_view program);

// The verb that the line's first words name; nullptr when there is none.
const Verb* verb_in(const Table& table, std::span<const std::string> words);

// Why a command line cannot be used: names the word that is wrong, the nearest one there is and the
// help to read. `reason` is the parser's own, for what is wrong with a value.
Error wrong_line(const Table& table, const std::vector<std::string>& words,
                 std::string_view program, std::string_view reason);

}  // namespace pf
