#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "config/profile.h"

namespace pf {

// The regular files at the top of a repository; links and anything odd are not seen.
class RepoTop {
 public:
  static Result<RepoTop> look(Files& files, const Path& repo);

  bool has(std::string_view name) const;
  // Nothing when it is missing, unreadable or larger than a megabyte.
  std::optional<std::string> read(std::string_view name) const;
  // The JSON object it holds; empty when it holds none.
  JsonObject json(std::string_view name) const;
  // Whether a directory at the top holds a file whose name begins and ends so.
  bool holds(std::string_view directory, std::string_view begin, std::string_view end) const;

 private:
  RepoTop(Files& files, Path repo, std::vector<std::string> names)
      : files_(&files), repo_(std::move(repo)), names_(std::move(names)) {}

  Files* files_;
  Path repo_;
  std::vector<std::string> names_;
};

// One detector per kind of build whose files need more than a look; each appends what it finds.
void detect_node(const RepoTop& top, std::vector<Detected>& found);
void detect_cmake(const RepoTop& top, std::vector<Detected>& found);

// The word as sh reads it back.
std::string shell_word(std::string_view word);

}  // namespace pf
