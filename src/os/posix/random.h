#pragma once
#include "os/random.h"

namespace pf {

// The kernel's random bytes.
class PosixRandom : public Random {
 public:
  void fill(std::span<std::byte> bytes) override;
};

}  // namespace pf
