#pragma once
#include <functional>

#include "base/result.h"

namespace pf {

// Calls `step`, which loads, looks and performs what is outstanding up to the first effect that
// changes something, until it says that none did. A loop that does not come to rest is an error.
Status settle(const std::function<Result<bool>()>& step);

}  // namespace pf
