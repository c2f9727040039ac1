#pragma once
#include <string_view>
#include <vector>

#include "document/lines.h"

namespace pf::document {

// A block of Markdown as CommonMark and GitHub's tables have it. Only the line on which it begins
// is known for sure; what it says is read from the text itself.
struct Block {
  enum class Kind { heading, paragraph, item, hidden, other };  // hidden: code and HTML
  Kind kind = Kind::other;
  int line = 0;            // from 1
  int level = 0;           // of a heading: 1 to 6
  int depth = 0;           // list items around it, an item itself included
  bool quoted = false;     // in a block quote
  bool in_bullet = false;  // an item of a list without numbers is around it
};

// The blocks in document order. Any bytes and a mebibyte of them are read in time: a line counts
// as far as it can decide what block it is.
std::vector<Block> blocks_of(std::string_view text);

// For each line, from 0: the block that it belongs to. Null for blank lines, for those behind a
// blank line that no block begins on, and for code and comments, also where a list's fence holds
// lines that are less indented than it.
std::vector<const Block*> blocks_by_line(const std::vector<TextLine>& lines,
                                         const std::vector<Block>& blocks);

}  // namespace pf::document
