#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "screen/key.h"

namespace pf::screen {

// Text that is being typed, of several lines when it has newlines.
class InputLine {
 public:
  static constexpr std::size_t kLimit = 32u << 10;  // bytes; more is not taken

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  void set(std::string_view text);
  // False when the key means nothing here, or there is no room for its text.
  bool key(const Key& key);

  struct Layout {
    std::vector<std::string> rows;
    std::size_t row = 0, column = 0;  // of the cursor
  };
  // In rows of `width` columns; the cursor is always on one of them.
  Layout layout(std::size_t width) const;

 private:
  bool insert(std::string_view text);
  std::size_t before(std::size_t at) const;
  std::size_t word_before(std::size_t at) const;
  std::size_t word_after(std::size_t at) const;
  void remove(std::size_t from, std::size_t to);

  std::string text_;
  std::size_t at_ = 0;  // the cursor, in bytes
};

}  // namespace pf::screen
