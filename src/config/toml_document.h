#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "config/problem.h"

namespace pf {

// One value of a TOML text. Only the part that fits `kind` is filled.
struct TomlValue {
  enum class Kind { string, integer, boolean, array, table, other };
  Kind kind = Kind::other;
  int line = 0;           // from 1; of the key when it has one
  std::string text = {};  // string: the value; other: what it is, "a date"
  std::int64_t integer = 0;
  bool boolean = false;
  std::vector<TomlValue> items = {};  // of an array; of a table, in the order of the text
  std::string key = {};               // its name in its table

  // The member of that name in a table; null when there is none.
  const TomlValue* find(std::string_view name) const;
};

// "a string", "a whole number", …
std::string_view kind_name(const TomlValue& value);

// The root table, or the first mistake with its line. Refuses what is larger than kConfigBytes, not
// UTF-8, holds NUL (even escaped) or nests absurdly.
std::expected<TomlValue, Problem> parse_toml(std::string_view text);

// The text as a TOML string with its quotes; everything a terminal could obey is escaped.
std::string toml_quote(std::string_view text);

}  // namespace pf
