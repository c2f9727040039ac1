#pragma once
#include <optional>

#include "base/hash.h"

namespace pf {

// What a loop knows of its register, a file that people edit too: as it was last taken in or
// written, and what is to be written. A file that was read before this changed says nothing of an
// edit.
template <class Write>
Hash known_of(const Hash& taken_in, const std::optional<Write>& write) {
  std::string known = taken_in.str();
  if (write) known += write->before.str() + write->after.str();
  return hash_of(known);
}

}  // namespace pf
