#include "os/random.h"

#include <fmt/format.h>

#include <vector>

namespace pf {

std::string Random::token(std::size_t bytes) {
  std::vector<std::byte> raw(bytes);
  fill(raw);
  std::string hex;
  for (const std::byte byte : raw) hex += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return hex;
}

}  // namespace pf
