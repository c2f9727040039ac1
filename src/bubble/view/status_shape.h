#pragma once
#include <string_view>

#include "screen/section.h"

namespace pf::status {

using namespace screen;

// How a part is written.
enum class Room {
  little,  // a narrow view: the words that matter
  view,    // a view: long texts are cut
  shell,   // as many rows as it takes; commands stay on one row, to be copied
};
struct Shape {
  std::size_t width = 80;  // columns of its rows
  Room room = Room::view;
};

constexpr std::size_t kLinesInShell = 60;  // of one text

// Titles and actions are one row each, but in a shell.
std::size_t lines_of_item(const Shape& shape);

// One text, whatever lines it has.
std::vector<Row> paragraph(Row lead, std::string_view text, Style style, std::size_t indent,
                           std::size_t width, std::size_t most);

}  // namespace pf::status
