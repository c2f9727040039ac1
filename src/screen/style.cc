#include "screen/style.h"

#include <fmt/format.h>

namespace pf::screen {

std::string painted(std::string_view text, Style style, Ink ink) {
  std::string codes;
  const auto add = [&](int code) { codes += fmt::format("{}{}", codes.empty() ? "" : ";", code); };
  if (style.weight == Weight::bold) add(1);
  if (style.weight == Weight::dim) add(2);
  if (style.colour != Colour::none && ink == Ink::colours) add(static_cast<int>(style.colour));
  if (style.inverse) add(7);
  if (ink == Ink::none || codes.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes, text);
}

}  // namespace pf::screen
