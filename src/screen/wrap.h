#pragma once
#include <limits>

#include "screen/row.h"

namespace pf::screen {

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// `text` broken at its newlines and between words into rows of `width` columns, the first after
// `lead`, the others after `indent` spaces; a longer word is broken where it has to be. Indentation
// is kept, spaces at a break are not. One row at least and `most` at most: what is left over stays
// on the last one, to be cut.
std::vector<Row> wrap(Row lead, std::string_view text, Style style, std::size_t indent,
                      std::size_t width, std::size_t most = kNoLimit);

// Bytes of the character at `at`, with the marks that combine with it.
std::size_t glyph_bytes(std::string_view text, std::size_t at);

}  // namespace pf::screen
