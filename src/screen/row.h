#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A screen as rows of styled text. Knows neither bubbles and plans nor terminals.
namespace pf::screen {

// By SGR code. What a look means is the business of each view.
enum class Colour {
  none = 0,
  red = 31,
  green = 32,
  yellow = 33,
  magenta = 35,
  cyan = 36,
  white = 37,
  bright_blue = 94,
};
enum class Weight { normal, bold, dim };

struct Style {
  Colour colour = Colour::none;
  Weight weight = Weight::normal;
  bool inverse = false;  // on a field of its colour

  constexpr Style inverted() const { return {colour, weight, true}; }
  friend bool operator==(const Style&, const Style&) = default;

  static const Style plain, dim, bold, good, warn, bad;
};
inline constexpr Style Style::plain{};
inline constexpr Style Style::dim{Colour::none, Weight::dim};
inline constexpr Style Style::bold{Colour::none, Weight::bold};
inline constexpr Style Style::good{Colour::green};
inline constexpr Style Style::warn{Colour::yellow};
inline constexpr Style Style::bad{Colour::red};

// How much of a style is shown.
enum class Ink { none, weights, colours };

// Printable text between our own SGR sequences, if it needs any.
std::string painted(std::string_view text, Style style, Ink ink);

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

struct Cursor {
  std::size_t row = 0, column = 0;
  friend bool operator==(const Cursor&, const Cursor&) = default;
};

// All that a terminal shows.
struct Picture {
  std::vector<Row> rows;              // each as wide as the terminal
  std::optional<Cursor> cursor = {};  // nothing: hidden
  friend bool operator==(const Picture&, const Picture&) = default;
};

}  // namespace pf::screen
