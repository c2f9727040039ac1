#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "screen/wrap.h"

namespace pf::screen::testing {

// A terminal that knows what we send to one, and nothing else. What is beyond its edges is lost.
class FakeTerminal {
 public:
  FakeTerminal(std::size_t columns, std::size_t rows) : columns_(columns), cells_(rows) {}

  FakeTerminal& print(std::string_view bytes) {
    while (!bytes.empty())
      bytes.remove_prefix(bytes.starts_with("\x1b[") ? obey(bytes) : put(bytes));
    return *this;
  }
  // Without the spaces at their ends.
  std::vector<std::string> rows() const {
    std::vector<std::string> rows;
    for (const auto& cells : cells_) {
      std::string row;
      for (const std::string& cell : cells) row += cell;
      rows.push_back(row.substr(0, row.find_last_not_of(' ') + 1));
    }
    return rows;
  }
  bool spilled() const { return spilled_; }  // over an edge
  bool shows_cursor() const { return cursor_; }
  std::size_t row() const { return row_; }
  std::size_t column() const { return column_; }

 private:
  std::size_t put(std::string_view bytes) {
    if (bytes.starts_with("\r\n")) return 2;
    const std::size_t size = glyph_bytes(bytes.substr(0, bytes.find('\x1b')), 0);
    const std::string glyph(bytes.substr(0, size));
    REQUIRE(printable(glyph) == glyph);
    const std::size_t wide = pf::columns(glyph);
    if (row_ >= cells_.size() || column_ + wide > columns_) return spilled_ = true, size;
    auto& cells = cells_[row_];
    cells.resize(std::max(cells.size(), column_ + wide), " ");
    if (wide == 0 && column_ > 0) cells[column_ - 1] += glyph;
    if (wide > 0) cells[column_] = glyph;
    if (wide > 1) cells[column_ + 1] = "";
    column_ += wide;
    return size;
  }

  std::size_t obey(std::string_view bytes) {
    const auto end = bytes.find_first_not_of("0123456789;?", 2);
    REQUIRE(end < bytes.size());
    const std::string_view numbers = bytes.substr(2, end - 2);
    switch (bytes[end]) {
      case 'm': break;
      case 'h':
      case 'l':
        REQUIRE(numbers.starts_with('?'));
        if (numbers == "?25") cursor_ = bytes[end] == 'h';
        break;
      case 'H':
        row_ = number(numbers.substr(0, numbers.find(';'))) - 1;
        column_ = number(numbers.substr(numbers.find(';') + 1)) - 1;
        break;
      case 'G': column_ = number(numbers) - 1; break;
      case 'K':
        REQUIRE(numbers == "2");
        if (row_ < cells_.size()) cells_[row_].clear();
        break;
      case 'J':
        for (std::size_t i = numbers == "2" ? 0 : row_; i < cells_.size(); ++i) cells_[i].clear();
        break;
      default: FAIL("unknown: " << bytes.substr(2, end - 1));
    }
    return end + 1;
  }

  static std::size_t number(std::string_view text) {
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

  std::size_t columns_;
  std::vector<std::vector<std::string>> cells_;
  std::size_t row_ = 0, column_ = 0;
  bool cursor_ = true, spilled_ = false;
};

}  // namespace pf::screen::testing
