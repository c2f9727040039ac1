#pragma once
#include <doctest/doctest.h>

#include <algorithm>

#include "agents/kind.h"

namespace pf {

inline const AgentKind& kind_named(std::string_view name) {
  const KindTable kinds = agent_kinds();
  const auto row = std::ranges::find(kinds, name, &KindSettings::name);
  REQUIRE_MESSAGE(row != kinds.end(), name);
  return static_cast<const AgentKind&>(**row);
}

}  // namespace pf
