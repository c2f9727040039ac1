#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "screen/style.h"

// A screen as rows of styled text. Knows neither bubbles and plans nor terminals.
namespace pf::screen {

struct Span {
  std::string text;  // printable
  Style style = {};
  friend bool operator==(const Span&, const Span&) = default;
};

// Pieces of one line. Whatever is added is made printable, so that only our own sequences get out.
class Row {
 public:
  Row() = default;
  explicit Row(std::string_view text, Style style = {}) { add(text, style); }
  Row& add(std::string_view text, Style style = {});
  Row& add(const Row& other);
  const std::vector<Span>& spans() const { return spans_; }
  std::size_t columns() const { return columns_; }
  std::string text() const { return painted(Ink::none); }
  std::string painted(Ink ink) const;
  // Cut (with "…") or padded to exactly `width` columns.
  Row fitted(std::size_t width) const;
  // This and, at the right end, `right`, in exactly `width` columns; this one is cut first.
  Row with_right(const Row& right, std::size_t width) const;
  friend bool operator==(const Row&, const Row&) = default;

 private:
  void push(Span span);

  std::vector<Span> spans_;
  std::size_t columns_ = 0;
};

void append(std::vector<Row>& rows, std::vector<Row> more);

// A dim line of that many columns: "────".
Row rule(std::size_t width);

}  // namespace pf::screen
