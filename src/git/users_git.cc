#include "git/users_git.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "git/changes.h"
#include "git/git.h"

namespace pf {

std::vector<std::pair<std::string, std::optional<std::string>>> without_own_programs(Os& os) {
  int count = parse_number<int>(os.env.get("GIT_CONFIG_COUNT").value_or("")).value_or(0);
  std::vector<std::pair<std::string, std::optional<std::string>>> variables;
  for (const auto& [key, value] :
       {std::pair("core.hooksPath", "/dev/null"), {"core.fsmonitor", "false"}}) {
    variables.emplace_back(fmt::format("GIT_CONFIG_KEY_{}", count), key);
    variables.emplace_back(fmt::format("GIT_CONFIG_VALUE_{}", count), value);
    ++count;
  }
  variables.emplace_back("GIT_CONFIG_COUNT", std::to_string(count));
  return variables;
}

Result<std::vector<std::string>> settings_in_checkout(Os& os, const Repository& repository) {
  constexpr std::string_view kFile = "file:";
  const auto below = [](const Path& path, const Path& place) {
    const Path relative = path.lexically_relative(place);
    return !relative.empty() && *relative.begin() != "..";
  };
  const Git git(os, {.git_dir = repository.common});
  std::vector<std::string> within;
  const auto listed = TRY(git.pieces("look where git is configured",
                                     {"config", "--list", "--show-origin", "--name-only", "-z"}));
  for (std::size_t i = 0; i + 1 < listed.size(); i += 2) {
    if (!listed[i].starts_with(kFile)) continue;
    const Path named = repository.common / listed[i].substr(kFile.size());
    const Path file = os.files.canonical(named).value_or(named.lexically_normal());
    const std::string shown = shown_path(file.lexically_relative(repository.top).string());
    if (below(file, repository.top) && !below(file, repository.common) &&
        std::ranges::find(within, shown) == within.end())
      within.push_back(shown);
  }
  return within;
}

}  // namespace pf
