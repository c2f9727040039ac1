#include "agents/stream.h"

#include <algorithm>

#include "agents/kind.h"
#include "agents/stream_lines.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kLongestLine = std::size_t{4} << 20;

}  // namespace

StreamReader::StreamReader(const AgentKind& kind) : lines_(kind.lines(kind)) {}
StreamReader::~StreamReader() = default;
StreamReader::StreamReader(StreamReader&&) noexcept = default;
StreamReader& StreamReader::operator=(StreamReader&&) noexcept = default;

std::vector<StreamItem> StreamReader::feed(std::string_view bytes) {
  std::vector<StreamItem> items;
  while (!bytes.empty()) {
    const auto newline = bytes.find('\n');
    const auto part = bytes.substr(0, newline);
    if (!too_long_ && line_.size() + part.size() > kLongestLine) {
      too_long_ = true;
      line_.clear();
    }
    if (!too_long_) line_ += part;
    if (newline == std::string_view::npos) break;
    take_line(items);
    bytes.remove_prefix(newline + 1);
  }
  return items;
}

std::vector<StreamItem> StreamReader::end(std::string_view errors) {
  std::vector<StreamItem> items;
  if (!line_.empty() || too_long_) take_line(items);
  lines_->end(errors, items);
  return items;
}

void StreamReader::take_line(std::vector<StreamItem>& items) {
  if (std::exchange(too_long_, false))
    items.push_back({.kind = StreamItem::Kind::failed,
                     .text = "a line of more than 4 MiB of its output was passed over"});
  else if (!trim(line_).empty())
    lines_->read(line_, items);
  line_.clear();
}

}  // namespace pf
