#pragma once
#include <optional>
#include <string>

#include "os/os.h"

namespace pf {

// What stands at the place of a repository within another one, read by hand: its files are an
// agent's, and git would run what its configuration names.
struct Nested {
  enum class Kind { repository, directory, file, nothing } kind = Kind::nothing;
  std::string head = {};  // the commit that a repository is at; "" when it has none
};
Result<Nested> look_at_nested(Os& os, const Path& directory);

}  // namespace pf
