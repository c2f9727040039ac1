#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "git/git.h"

namespace pf {

// A path that differs between two trees, as objects.
struct RawChange {
  static constexpr std::string_view kNone = "000000";
  static constexpr std::string_view kNested = "160000";

  std::string path, old_mode, old_id, new_mode, new_id;
  bool comes() const { return old_mode == kNone; }
  bool goes() const { return new_mode == kNone; }
};
// Between two trees or commits, sorted by path; submodules by their recorded commits.
Result<std::vector<RawChange>> raw_changes(const Git& git, const std::string& from,
                                           const std::string& to);
// Of the output of a `--raw -z --no-abbrev`, whose objects are whole.
std::vector<RawChange> parse_raw_changes(std::string_view output);
// What `update-index -z --index-info` makes them of; what goes is first, since it may stand in the
// way of what comes.
std::string index_info(const std::vector<RawChange>& changes);

}  // namespace pf
