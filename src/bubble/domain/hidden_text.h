#pragma once
#include <string_view>
#include <vector>

#include "base/facts.h"

// Where a change holds what a reader does not see (base/glyph.h).
namespace pf::bubble {

// In the added lines of a unified diff, in its order; at most 200. The carriage return at a line's
// end is none. A diff that was cut has an entry without a path that says so.
std::vector<HiddenText> hidden_text(std::string_view diff);
// "src/a.js:12 <U+200B>", one each.
std::vector<std::string> in_words(const std::vector<HiddenText>& hidden);

// The diff for people, line by line: of the lines that changed, how they end is shown too. What is
// hidden is named above.
std::string shown_diff(std::string_view diff);

}  // namespace pf::bubble
