#pragma once
#include <string>
#include <string_view>

// What a piece of text looks like. What a look means is the business of each view.
namespace pf::screen {

// By SGR code.
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

}  // namespace pf::screen
