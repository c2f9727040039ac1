#include <fmt/format.h>

#include "base/text.h"
#include "git/private_index.h"
#include "git/workspace.h"

namespace pf {
namespace {

// Where the user's hooks are; our own calls hide them on the command line.
Result<std::string> hooks_path(const Git& git, const Path& common) {
  std::string path = (common / "hooks").string();
  const auto listed =
      TRY(git.run({"config", "--show-scope", "--type=path", "--get-all", "core.hooksPath"}));
  for (const auto line : split(listed.out, '\n')) {
    const auto tab = line.find('\t');
    if (tab != std::string_view::npos && line.substr(0, tab) != "command")
      path = std::string(line.substr(tab + 1));
  }
  return path;
}

}  // namespace

Result<Finished> Workspace::run_hook(const std::string& name, const TreeId& tree,
                                     Git::Words arguments) {
  const auto index = TRY(PrivateIndex::take(os_, Path(spec_.index) += ".hook", true));
  const Git git(os_,
                {.git_dir = TRY(linked()), .work_tree = spec_.worktree, .index = index.path()});
  TRY(git.must("lay out the approved tree", {"read-tree", tree.str()}));
  Git::Words words = {"-c",
                      "core.hooksPath=" + TRY(hooks_path(main(), spec_.repository.common)),
                      "hook",
                      "run",
                      "--ignore-missing",
                      name,
                      "--"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  GitOptions options;  // a hook decides nothing in the human's place
  options.environment = {{"PAIRFLOW_CHECK", spec_.bubble}};
  return git.run(words, options);
}

}  // namespace pf
