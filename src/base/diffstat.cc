#include "base/diffstat.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {

std::string diffstat(const std::vector<ChangedFile>& changed) {
  std::string out;
  for (const ChangedFile& file : changed)
    out +=
        fmt::format("{} {:>6} {:>6}  {}\n", file.status,
                    file.added < 0 ? "bin" : fmt::format("+{}", file.added),
                    file.removed < 0 ? "" : fmt::format("−{}", file.removed), printable(file.path));
  return out;
}

}  // namespace pf
