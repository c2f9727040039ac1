#include "journal/line_reader.h"

namespace pf {
namespace {

constexpr std::size_t kChunk = 64u << 10;  // most tails fit into one read

}  // namespace

// Reads on; false at the end of the file. What there is of a line is read again together with the
// rest of it: without the lock a torn tail may have been cut off and written over in between, and
// two halves could make a line that nobody wrote.
Result<bool> LineReader::fill() {
  const std::size_t left = buffer_.size() - used_;
  const std::uint64_t from = read_to_ - left;
  buffer_ = TRY(file_.read_at(from, left + kChunk));
  used_ = 0;
  read_to_ = from + buffer_.size();
  return buffer_.size() > left;
}

Result<std::optional<RawLine>> LineReader::next() {
  RawLine line;
  line.begin = read_to_ - (buffer_.size() - used_);
  std::size_t searched = 0;
  while (true) {
    const auto newline = buffer_.find('\n', used_ + searched);
    line.terminated = newline != std::string::npos;
    if (line.terminated) {
      line.text = std::string_view(buffer_).substr(used_, newline - used_);
      used_ = newline + 1;
      break;
    }
    searched = buffer_.size() - used_;
    if (searched >= kMaxLine) {
      line.too_long = true;
      line.has_nul |= buffer_.find('\0', used_) != std::string::npos;
      used_ = buffer_.size();
      searched = 0;
    }
    const bool more = TRY(fill());
    searched = 0;
    if (more) continue;
    line.text = std::string_view(buffer_).substr(used_);
    used_ = buffer_.size();
    break;
  }
  line.end = read_to_ - (buffer_.size() - used_);
  if (line.begin == line.end) return std::nullopt;
  line.has_nul |= line.text.find('\0') != std::string_view::npos;
  line.too_long |= line.end - line.begin > kMaxLine;
  if (line.too_long) line.text = {};
  return line;
}

}  // namespace pf
