#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace pf {

// Why an agent's model does not answer, as its program shows it.
struct ModelTrouble {
  enum class Kind { limit, overload };
  Kind kind = Kind::overload;
  std::string line;     // what was read
  WallTime until = {};  // when it may answer again; 0 when it does not say
};

// Recognised in the last lines of a screen or in an error's text. Times in it are local ones:
// `now` and `utc_offset` make them UTC. Pure.
std::optional<ModelTrouble> model_trouble(std::string_view text, WallTime now, Duration utc_offset);

}  // namespace pf
