#include "journal/line_reader.h"

namespace pf {
namespace {

constexpr std::size_t kChunk = 64u << 10;  // most tails fit into one read

}  // namespace

// Puts the next chunk behind the bytes not handed out yet; false at the end of the file.
Result<bool> LineReader::fill() {
  const auto chunk = TRY(file_.read_at(read_to_, kChunk));
  buffer_.erase(0, used_);
  used_ = 0;
  buffer_ += chunk;
  read_to_ += chunk.size();
  return !chunk.empty();
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
    if (TRY(fill())) continue;
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
