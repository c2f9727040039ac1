#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "plan/domain/types.h"

namespace pf::plan {

Result<FeatureId> parse_feature_id(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool fits = !text.empty() && text.size() <= kLongest && plain(text.front()) &&
                    plain(text.back()) && std::ranges::all_of(text, [&](char c) {
                      return plain(c) || c == '_' || c == '-' || c == '.';
                    });
  if (fits) return FeatureId(std::string(text));
  return fail(Exit::usage, fmt::format("'{}' is no feature's name", clip(printable(text), 80)),
              "it names the directory docs/<feature>: up to 64 letters, digits, '-', '_' or '.', "
              "the first and the last a letter or a digit",
              "for example: pairflow plan init login");
}

}  // namespace pf::plan
