#pragma once
#include "screen/row.h"

namespace pf::screen {

// Labelled rows of a page, and what becomes of them when there is too little room.
struct Section {
  std::string label;
  std::vector<Row> rows;
  int rank = 0;              // 0 is the last to lose rows
  std::size_t least = 1;     // rows it gets before any other gets more than its own least
  bool newest_last = false;  // loses rows at the front
  bool apart = false;        // a blank row before it when there is room
  Style label_style = Style::dim;
  std::string more = {};  // "more: see …", after the number of rows that were cut off the end
};

// The sections one below the other in at most `height` rows; labels in a column of `gutter`.
std::vector<Row> stack(const std::vector<Section>& sections, std::size_t gutter,
                       std::size_t height);

}  // namespace pf::screen
