#include "os/random.h"

#include <vector>

namespace pf {

std::string Random::token(std::size_t bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::vector<std::byte> raw(bytes);
  fill(raw);
  std::string hex;
  hex.reserve(bytes * 2);
  for (const std::byte byte : raw) {
    hex += kDigits[std::to_integer<unsigned>(byte) >> 4];
    hex += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return hex;
}

}  // namespace pf
