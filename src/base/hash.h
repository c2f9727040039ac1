#pragma once
#include <string_view>

#include "base/ids.h"

namespace pf {

// BLAKE2b with 16 bytes of output, as 32 hex digits.
Hash hash_of(std::string_view bytes);

}  // namespace pf
