#include "git/promised.h"

#include <fmt/format.h>

#include "base/text.h"
#include "git/git.h"

namespace pf {
namespace {

// The remote's name; "" when the repository has all of its objects.
Result<std::string> promisor_of(const Git& git) {
  const auto asked = TRY(git.run(
      {"config", "-z", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"}));
  std::string remote;
  for (const std::string& entry : split_nul(asked.out)) {
    const auto end = entry.find('\n');
    const std::string key = entry.substr(0, end);
    const std::string value = end == std::string::npos ? "true" : entry.substr(end + 1);
    if (key.starts_with("extensions.")) return value;
    constexpr std::string_view kFirst = "remote.", kLast = ".promisor";
    if (value == "true")
      remote = key.substr(kFirst.size(), key.size() - kFirst.size() - kLast.size());
  }
  return remote;
}

bool has_rules(const std::string& path) {
  const auto name = Path(path).filename();
  return name == ".gitattributes" || name == ".gitignore";
}

}  // namespace

Result<bool> is_partial_clone(Os& os, const Repository& repository) {
  return !TRY(promisor_of(Git(os, {.git_dir = repository.common}))).empty();
}

Status fetch_promised(Os& os, const Repository& repository, const std::string& tree,
                      const std::set<std::string>& left_out) {
  const Git git(os, {.git_dir = repository.common, .work_tree = repository.common});
  const std::string remote = TRY(promisor_of(git));
  if (remote.empty()) return {};
  const auto unreachable = [&](Error error) {
    error.what = "files of this partial clone are not on this machine";
    error.fix = fmt::format(
        "see that the remote '{}' can be reached (git fetch {}), then run the "
        "same command again",
        printable(remote), printable(remote));
    return std::unexpected(std::move(error));
  };
  const auto root = git.line("look at a tree", {"rev-parse", tree + "^{tree}"});
  if (!root) return unreachable(root.error());
  const auto files = git.pieces("list the tree", {"ls-tree", "-r", "-z", *root});
  if (!files) return unreachable(files.error());
  std::set<std::string> wanted;
  for (const std::string& entry : *files) {  // "<mode> blob <object>\t<path>"
    const auto tab = entry.find('\t');
    if (tab == std::string::npos || !entry.contains(" blob ")) continue;
    const std::string path = entry.substr(tab + 1);
    if (!left_out.contains(path) || has_rules(path))
      wanted.insert(std::string(split(std::string_view(entry).substr(0, tab), ' ')[2]));
  }
  // "?<object>" for what is missing.
  const std::string listed = TRY(
      git.output("look for missing objects", {"rev-list", "--objects", "--missing=print", *root}));
  GitOptions missing;
  for (const auto line : split(listed, '\n'))
    if (line.starts_with('?') && wanted.contains(std::string(line.substr(1))))
      missing.input.append(line.substr(1)).push_back('\n');
  if (missing.input.empty()) return {};
  const auto fetched = TRY(git.run(
      {"-c", "fetch.negotiationAlgorithm=noop", "fetch", "-q", "--no-tags", "--no-write-fetch-head",
       "--no-auto-maintenance", "--recurse-submodules=no", "--filter=blob:none", "--stdin", remote},
      missing));
  if (!fetched.ok()) return unreachable(git_error("fetch them", fetched));
  return {};
}

}  // namespace pf
