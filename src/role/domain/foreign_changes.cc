#include "role/domain/foreign_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "role/domain/types.h"

namespace pf::role {

std::vector<std::string> foreign_changes_in(const std::vector<std::string>& dirty) {
  std::vector<std::string> foreign_changes;
  std::ranges::copy_if(dirty, std::back_inserter(foreign_changes), [](const std::string& path) {
    return path != kRoadmapFile && !path.starts_with(kCurrentFolder) &&
           !path.starts_with(kAgentsFolder);
  });
  return foreign_changes;
}

std::string name_foreign_changes(const std::vector<std::string>& paths) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> named = paths;
  named.resize(std::min(kMost, named.size()));
  return fmt::format("not committed: {}{}", clip(printable(join(named, ", ")), 400),
                     paths.size() > kMost ? fmt::format(" and {} more", paths.size() - kMost) : "");
}

}  // namespace pf::role
