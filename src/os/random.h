#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace pf {

class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<std::byte> bytes) = 0;

  // `bytes` random bytes as hex.
  std::string token(std::size_t bytes = 8);
};

}  // namespace pf
