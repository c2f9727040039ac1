#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

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

std::string_view trim_right(std::string_view text);

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

// The line of the first byte that is no UTF-8.
int first_bad_line(std::string_view text);

}  // namespace pf::document
