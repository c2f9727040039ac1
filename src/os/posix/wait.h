#pragma once
#include <ctime>
#include <span>
#include <vector>

#include "base/time.h"

namespace pf {

// Longer waits are cut to this, so that adding one to the clock cannot overflow.
inline constexpr Duration kForever = std::chrono::hours(24 * 365);

timespec to_timespec(Duration time);

// Waits until `fd` is readable (or at its end) or `wait` has passed; true when it is.
bool wait_readable(int fd, Duration wait);
// Those of `fds` that are readable once one is or `wait` has passed.
std::vector<int> readable_of(std::span<const int> fds, Duration wait);

}  // namespace pf
