#include "git/raw_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf {

Result<std::vector<RawChange>> raw_changes(const Git& git, const std::string& from,
                                           const std::string& to) {
  return parse_raw_changes(
      TRY(git.output("compare two trees", {"diff-tree", "-r", "-z", "--no-renames", "--no-abbrev",
                                           "--ignore-submodules=none", from, to})));
}

// ":<mode> <mode> <object> <object> <status>", then the path.
std::vector<RawChange> parse_raw_changes(std::string_view output) {
  std::vector<RawChange> all;
  const auto pieces = split_nul(output);
  for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
    const auto fields = split(std::string_view(pieces[i]).substr(1), ' ');
    if (fields.size() < 5) continue;
    all.push_back({pieces[i + 1], std::string(fields[0]), std::string(fields[2]),
                   std::string(fields[1]), std::string(fields[3])});
  }
  std::ranges::sort(all, {}, &RawChange::path);
  return all;
}

std::string index_info(const std::vector<RawChange>& changes) {
  std::string text;
  for (const bool goes : {true, false})
    for (const RawChange& change : changes)
      if (change.goes() == goes)
        text.append(
                fmt::format("{} {}\t{}", goes ? "0" : change.new_mode, change.new_id, change.path))
            .push_back('\0');
  return text;
}

}  // namespace pf
