// What the user's hooks find where they run, as `git commit` would have it.
#include <fmt/format.h>

#include "git/private_index.h"
#include "git/taking.h"
#include "git/workspace.h"

namespace pf {
namespace {

// Who commits; filters and the like are in the rules.
Result<std::string> identity(const Git& main) {
  std::string text;
  for (const char* name : {"name", "email"}) {
    const auto value = TRY(main.run({"config", "--get", fmt::format("user.{}", name)}));
    if (value.ok())
      text += fmt::format("[user]\n\t{} = {}\n", name,
                          in_quotes(value.out.substr(0, value.out.find('\n'))));
  }
  return text;
}

}  // namespace

Result<Path> Workspace::hooks_path() const {
  const std::string named = TRY(path_setting(main(), "core.hooksPath"));
  return named.empty() ? spec_.repository.common / "hooks" : Path(named);
}

Status Workspace::make_hooks_git(const Path& at, const Path& seen_at, const CommitId& head,
                                 const TreeId& tree) {
  const Path& common = spec_.repository.common;
  TRY(check_object_id(head.str()));
  TRY(os_.files.remove_all(at));
  const GitRules rules = spec_.rules ? TRY(kept_rules(os_, *spec_.rules))
                                     : TRY(rules_now(os_, spec_.repository, spec_.worktree));
  TRY(make_git_dir(os_, rules, at, common));
  const auto put = [&](const Path& name, const std::string& text) -> Status {
    TRY(os_.files.make_directories((at / name).parent_path()));
    return os_.files.replace(at / name, text, Durable::no);
  };
  std::string config = TRY(os_.files.read(at / "config")) + TRY(identity(main()));
  for (const char* name : {"exclude", "attributes"})
    config += fmt::format("[core]\n\t{}File = {}\n", name[0] == 'e' ? "excludes" : "attributes",
                          in_quotes((seen_at / fmt::format("user-{}", name)).string()));
  TRY(put("config", config));
  TRY(put("objects/info/alternates", in_quotes((common / "objects").string()) + "\n"));
  if (const auto shallow = TRY(os_.files.read_if_there(common / "shallow")))
    TRY(put("shallow", *shallow));
  TRY(put(branch_ref(), head.str() + "\n"));
  TRY(put("HEAD", fmt::format("ref: {}\n", branch_ref())));
  return Git(os_, {.git_dir = at}).must("fill the index of the hooks", {"read-tree", tree.str()});
}

Result<bool> Workspace::has_path(const TreeId& tree, const Path& path) const {
  TRY(check_object_id(tree.str()));
  const Git git(os_, TRY(objects()));
  return !TRY(git.output("look into the tree", {"ls-tree", "--name-only", tree.str(), "--",
                                                path.lexically_normal().string()}))
              .empty();
}

Result<TreeId> Workspace::tree_in(const Path& directory, const TreeId& checked_out) {
  PrivateIndex index = TRY(PrivateIndex::take(os_, Path(spec_.index) += ".hooks", true));
  Taking taking(os_, TRY(this->taking(directory, checked_out.str(), index)), index);
  TRY(taking.begin());
  return TreeId(TRY(taking.take()));
}

}  // namespace pf
