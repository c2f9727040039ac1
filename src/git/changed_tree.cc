#include "git/changed_tree.h"

#include "git/private_index.h"

namespace pf {

Result<TreeId> changed_tree(Os& os, const Repository& repository, const Path& scratch,
                            const std::string& tree, const std::vector<RawChange>& changes) {
  const PrivateIndex index = TRY(PrivateIndex::take(os, scratch, true));
  const Git git(os, {.git_dir = repository.common, .index = index.path()});
  TRY(git.must("read a tree", {"read-tree", tree}));
  TRY(git.must("change a tree", {"update-index", "-z", "--index-info"},
               {.input = index_info(changes)}));
  return TreeId(TRY(git.line("record a tree", {"write-tree", "--missing-ok"})));
}

Result<TreeId> tree_with_paths_of(Os& os, const Repository& repository, const Path& scratch,
                                  const std::string& tree, const std::string& other,
                                  const std::set<std::string>& paths) {
  if (paths.empty()) return TreeId(tree);
  const Git git(os, {.git_dir = repository.common});
  auto changes = TRY(raw_changes(git, tree, other));
  std::erase_if(changes, [&](const RawChange& change) { return !paths.contains(change.path); });
  return changed_tree(os, repository, scratch, tree, changes);
}

}  // namespace pf
