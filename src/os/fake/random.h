#pragma once
#include <cstdint>
#include <random>

#include "os/random.h"

namespace pf {

// The same seed gives the same bytes.
class FakeRandom : public Random {
 public:
  explicit FakeRandom(std::uint64_t seed = 1) : engine_(seed) {}
  void fill(std::span<std::byte> bytes) override {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(engine_() & 0xff);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace pf
