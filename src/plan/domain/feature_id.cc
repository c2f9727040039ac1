#include <fmt/format.h>

#include "base/glyph.h"
#include "base/text.h"
#include "plan/domain/types.h"

namespace pf::plan {

namespace {

// Letters and digits of any alphabet, with '-', '_' and '.' between them.
bool is_name(std::string_view text) {
  bool is_first = true, ends = false;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    ends = is_of_name(glyph);
    const bool joins = !is_first && std::string_view("-_.").find(text[0]) != std::string_view::npos;
    if (!ends && !joins) return false;
    text.remove_prefix(glyph.bytes);
    is_first = false;
  }
  return ends;
}

}  // namespace

Result<FeatureId> parse_feature_id(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  if (text.size() <= kLongest && is_name(text) && hidden_glyphs(text).empty())
    return FeatureId(std::string(text));
  return fail(
      Exit::usage, fmt::format("'{}' is no feature's name", clip(printable(text), 80)),
      "it names the directory docs/<feature>: up to 64 bytes of letters, digits, '-', '_' or "
      "'.', the first and the last a letter or a digit",
      "for example: pairflow plan init login");
}

}  // namespace pf::plan
