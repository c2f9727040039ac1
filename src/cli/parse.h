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

}  // namespace pf
