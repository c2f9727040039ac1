#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace pf::role {

// "1 run", "2 runs"
inline std::string counted(auto number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace pf::role
