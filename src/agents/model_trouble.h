#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "agents/kind.h"
#include "base/time.h"

namespace pf {

// Why an agent's model does not answer, as its program shows it.
struct ModelTrouble {
  enum class Kind { limit, overload };
  Kind kind = Kind::overload;
  std::string line;      // what was read
  WallTime until = {};   // when it may answer again, at most two months on; 0 when it does not say
  bool retries = false;  // the program tries again by itself
};

// Recognised in an error's text, by the words of the program's kind. Times in it are local ones:
// `now` and `utc_offset` make them UTC. Pure.
std::optional<ModelTrouble> model_trouble(const Troubles& words, std::string_view text,
                                          WallTime now, Duration utc_offset);

// The same in the last lines of a screen, in those that the program itself writes for an error and
// not in what its agent says.
std::optional<ModelTrouble> trouble_on_screen(const Troubles& words, std::string_view screen,
                                              WallTime now, Duration utc_offset);

}  // namespace pf
