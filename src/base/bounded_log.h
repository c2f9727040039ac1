#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace pf {

// Keeps the beginning and the end of a long text in bounded memory.
class BoundedLog {
 public:
  BoundedLog(std::size_t head, std::size_t tail) : head_limit_(head), tail_limit_(tail) {}

  void append(std::string_view bytes);
  // The whole text, or both ends with a line between them that says how much is left out.
  std::string text() const;
  bool cut() const { return left_out() > 0; }

 private:
  std::uint64_t left_out() const;

  std::size_t head_limit_, tail_limit_;
  std::string head_, tail_;  // the tail may hold up to twice its limit
  std::uint64_t beyond_head_ = 0;
};

}  // namespace pf
