#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace pf::tui {

// Printable text broken at its newlines and between words: the first line within `first` columns,
// the others within `width`; a longer word is broken where it has to be. Indentation is kept,
// spaces at a break are not. One line at least.
std::vector<std::string> wrap(std::string_view text, std::size_t first, std::size_t width);

// Bytes of the character at `at`, with the marks that combine with it.
std::size_t glyph_bytes(std::string_view text, std::size_t at);

}  // namespace pf::tui
