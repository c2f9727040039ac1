#pragma once
#include <optional>

#include "screen/row.h"

namespace pf::screen {

struct Cursor {
  std::size_t row = 0, column = 0;
  friend bool operator==(const Cursor&, const Cursor&) = default;
};

// All that a terminal shows.
struct Picture {
  std::vector<Row> rows;              // each as wide as the terminal
  std::optional<Cursor> cursor = {};  // nothing: hidden
  friend bool operator==(const Picture&, const Picture&) = default;
};

}  // namespace pf::screen
