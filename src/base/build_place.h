#pragma once
#include <string>
#include <string_view>

namespace pf {

// Copies the files of the checkout that one is in, but for those that git ignores, to an empty
// directory, and goes there: for one who cannot write the checkout.
inline std::string copy_command(std::string_view place) {
  const std::string to(place);
  return "git ls-files -coz --exclude-standard | xargs -0 cp -a --parents -t " + to + "; cd " + to;
}

}  // namespace pf
