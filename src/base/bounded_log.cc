#include "base/bounded_log.h"

#include <algorithm>

namespace pf {

void BoundedLog::append(std::string_view bytes) {
  const std::size_t room = std::min(bytes.size(), head_limit_ - head_.size());
  head_.append(bytes.substr(0, room));
  bytes.remove_prefix(room);
  beyond_head_ += bytes.size();
  if (bytes.size() > tail_limit_) {
    bytes.remove_prefix(bytes.size() - tail_limit_);
    tail_.clear();
  }
  tail_.append(bytes);
  if (tail_.size() > 2 * tail_limit_) tail_.erase(0, tail_.size() - tail_limit_);
}

std::uint64_t BoundedLog::left_out() const {
  return beyond_head_ > tail_limit_ ? beyond_head_ - tail_limit_ : 0;
}

std::string BoundedLog::text() const {
  if (left_out() == 0) return head_ + tail_;
  const std::string_view end = std::string_view(tail_).substr(tail_.size() - tail_limit_);
  if (tail_limit_ == 0) return head_;
  return head_ + "\n[… " + std::to_string(left_out()) + " bytes left out …]\n" + std::string(end);
}

}  // namespace pf
