#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "os/files.h"

namespace pf {

inline constexpr std::size_t kMaxLine = 1u << 20;  // bytes of one line, newline included

// Bytes of a file up to and including a newline, or up to the end of the file.
struct RawLine {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // after the newline
  bool terminated = false;
  bool too_long = false;  // over kMaxLine: `text` is empty
  bool has_nul = false;
  std::string_view text;  // without the newline; valid until the next line is asked for
};

// Splits a file into lines from an offset on, holding no more than one line and one chunk.
class LineReader {
 public:
  LineReader(File& file, std::uint64_t from) : file_(file), read_to_(from) {}

  // Nothing at the end of the file.
  Result<std::optional<RawLine>> next();

 private:
  Result<bool> fill();

  File& file_;
  std::string buffer_;
  std::size_t used_ = 0;   // bytes of buffer_ already handed out
  std::uint64_t read_to_;  // file offset behind buffer_
};

}  // namespace pf
