#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/os.h"

namespace pf {

// The regular files at the top of a repository; links and anything odd are not seen.
class RepoTop {
 public:
  static Result<RepoTop> look(Files& files, const Path& repo);

  bool has(std::string_view name) const;
  // Nothing when it is missing, unreadable or larger than a megabyte.
  std::optional<std::string> read(std::string_view name) const;
  // Whether a directory at the top holds a file whose name begins and ends so.
  bool holds(std::string_view directory, std::string_view begin, std::string_view end) const;

 private:
  RepoTop(Files& files, Path repo, std::vector<std::string> names)
      : files_(&files), repo_(std::move(repo)), names_(std::move(names)) {}

  Files* files_;
  Path repo_;
  std::vector<std::string> names_;
};

}  // namespace pf
