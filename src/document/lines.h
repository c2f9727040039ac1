#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "document/problem.h"

namespace pf::document {

// More is no document of ours.
inline constexpr std::size_t kMaxDocument = std::size_t{1} << 20;
inline constexpr std::string_view kBom = "\xEF\xBB\xBF";

struct TextLine {
  int number = 0;         // from 1
  std::string_view text;  // without its line end
  std::size_t begin = 0;  // of the text, in the document; behind a byte order mark
  std::size_t next = 0;   // behind the line end
  std::size_t end() const { return begin + text.size(); }
};

// Every line of a document; LF and CRLF end one. A last line without an end counts, an empty one
// does not.
std::vector<TextLine> lines_of(std::string_view document);

// How the document ends its lines: as its first line does.
std::string_view line_end_of(std::string_view document);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view trim_right(std::string_view text);
// What stands behind these characters, and behind these and dashes beyond ASCII.
std::string_view skip(std::string_view text, std::string_view characters);
std::string_view skip_separators(std::string_view text, std::string_view characters);
// Takes a word in small letters off the front, whatever its case there.
bool take_word(std::string_view& text, std::string_view word);

// "```sh" or "~~~~" at the front of a line, whatever its indentation; no mark when there is none.
struct Fence {
  char mark = 0;
  std::size_t length = 0;
  std::string_view info = {};
};
Fence fence_at(std::string_view line);

// Tells, line by line, what Markdown does not read as text: fenced code blocks with their fences
// and comments that begin a line.
class HiddenLines {
 public:
  bool hides(const TextLine& line);
  // The line of a fence that was not closed; 0 when there is none.
  int open_fence() const { return fence_ == 0 ? 0 : opened_; }

 private:
  char fence_ = 0;
  std::size_t length_ = 0;
  int opened_ = 0;
  bool comment_ = false;
};

// "Write the parser!" → "write-the-parser", "Größe ändern" → "grösse-ändern", whatever its case and
// composition. At most 60 bytes; with `only_ascii` letters lose their accents ("grosse-andern"),
// and what is still beyond ASCII is left out like all other characters.
inline constexpr std::size_t kMaxSlug = 60;
std::string slug_of(std::string_view text, bool only_ascii = false);

// Refuses what is no UTF-8 or more than 1 MiB; `these`: "plans".
Read<void> check_text(std::string_view text, std::string_view these);

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
using LineKind = MarkdownLine::Kind;

MarkdownLine markdown_line(std::string_view line);

// The text without a leading checkbox and without emphasis around it.
std::string_view without_checkbox(std::string_view text);

}  // namespace pf::document
