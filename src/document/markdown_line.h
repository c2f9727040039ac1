#pragma once
#include <cstddef>
#include <string_view>

namespace pf::document {

// One line of Markdown by its form. Steps are found by lines and not by a Markdown parser, since a
// step's text has to stay what was written, byte for byte, whatever else the document does.
struct MarkdownLine {
  enum class Kind { blank, heading, bullet, ordered, text };
  Kind kind = Kind::blank;
  std::size_t indent = 0;         // columns; a tab reaches to the next multiple of four
  std::size_t level = 0;          // of a heading: 1 to 6
  std::string_view number = {};   // of an ordered item: its digits
  std::string_view content = {};  // behind the marker, without spaces around it
  std::size_t content_indent = 0;

  bool is_item() const { return kind == Kind::bullet || kind == Kind::ordered; }
};

MarkdownLine markdown_line(std::string_view line);

// The text without a leading checkbox and without emphasis around it.
std::string_view without_checkbox(std::string_view text);

}  // namespace pf::document
