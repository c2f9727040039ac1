#include <sys/random.h>

#include "base/check.h"
#include "os/descriptor.h"
#include "os/posix/os.h"

namespace pf {

void PosixRandom::fill(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const auto got = uninterrupted([&] { return ::getrandom(bytes.data(), bytes.size(), 0); });
    PF_CHECK(got > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace pf
