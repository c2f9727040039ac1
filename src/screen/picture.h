#pragma once
#include <string>
#include <string_view>
#include <vector>

// A screen as rows of styled text. Knows neither plans nor terminals.
namespace pf::tui {

enum class Style {
  plain,
  dim,
  bold,
  coder,
  reviewer,
  user,
  pairflow,
  alarm,
  good,
  title,
  selected
};

struct Span {
  std::string text;  // printable
  Style style = Style::plain;
  bool chip = false;  // on a field of its colour
  friend bool operator==(const Span&, const Span&) = default;
};

// Pieces of one line. Whatever is added is made printable.
class Row {
 public:
  Row() = default;
  explicit Row(std::string_view text, Style style = Style::plain) { add(text, style); }
  Row& add(std::string_view text, Style style = Style::plain);
  Row& chip(std::string_view text, Style style);
  Row& add(const Row& other);
  const std::vector<Span>& spans() const { return spans_; }
  std::size_t columns() const { return columns_; }
  std::string text() const;
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

struct Picture {
  std::vector<Row> rows;
  std::size_t cursor_column = 0, cursor_row = 0;
};

// Rows of one character: "────".
Row rule(std::size_t width, std::string_view character = "─");

}  // namespace pf::tui
