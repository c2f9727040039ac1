#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "document/problem.h"

namespace pf::document {

// One member of a JSON file that people write.
struct JsonMember {
  std::string key;
  int line = 1;
  std::string text;  // the value as it is written
  Json value;
};

// The members of the object that the file is, in its order; a byte order mark is passed over.
// Refuses, with a line, what is no JSON, no object, has a key twice, or is more than 64 KiB.
Read<std::vector<JsonMember>> read_members(std::string_view text);

}  // namespace pf::document
