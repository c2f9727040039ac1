// How it works. Which paths the patterns of a sparse checkout leave out is git's to say: an index
// of our own is filled with the tree, then git applies the patterns to it over an empty directory.
// Nothing is checked out by that, so nothing of the tree has a say in it.
#include "git/sparse.h"

#include "base/text.h"
#include "git/filters.h"
#include "git/private_index.h"

namespace pf {
namespace {

// "S name" for what is left out, small letters for what is taken for unchanged.
Status read_flags(const Git& git, Overlooked& overlooked) {
  for (std::string& entry : TRY(git.pieces("look at the index", {"ls-files", "-v", "-z"}))) {
    if (entry.size() < 3) continue;
    overlooked.assumed = overlooked.assumed || ascii::is_lower(entry[0]);
    if (entry[0] == 'S' || entry[0] == 's') overlooked.left_out.insert(entry.substr(2));
  }
  return {};
}

// The user's own setting; our calls hide it.
Result<bool> is_sparse(const Git& git) {
  const auto listed =
      TRY(git.run({"config", "--show-scope", "--type=bool", "--get-all", "core.sparseCheckout"}));
  bool sparse = false;
  for (const auto line : split(listed.out, '\n')) {
    const auto tab = line.find('\t');
    if (tab != std::string_view::npos && line.substr(0, tab) != "command")
      sparse = line.substr(tab + 1) == "true";
  }
  return sparse;
}

Status read_patterns(Os& os, const UserCheckout& checkout, const std::string& tree,
                     Overlooked& overlooked) {
  const PrivateIndex index = TRY(PrivateIndex::take(os, checkout.scratch, true));
  const Path empty = index.directory() / "empty";
  TRY(os.files.make_directories(empty));
  const Git git(os, {.git_dir = checkout.git_dir, .work_tree = empty, .index = index.path()});
  TRY(git.must("read the tree", {"read-tree", tree}));
  TRY(git.must("apply the sparse checkout", {"-c", "core.sparseCheckout=true", "-c",
                                             "index.sparse=false", "read-tree", "-m", "-u", tree}));
  Overlooked by_patterns;
  TRY(read_flags(git, by_patterns));
  overlooked.left_out.merge(by_patterns.left_out);
  return {};
}

}  // namespace

Result<Overlooked> look_for_overlooked(Os& os, const UserCheckout& checkout,
                                       const std::string& tree) {
  Overlooked overlooked;
  const Git git(os, {.git_dir = checkout.git_dir, .work_tree = checkout.where});
  TRY(read_flags(git, overlooked));
  if (TRY(is_sparse(git))) TRY(read_patterns(os, checkout, tree, overlooked));
  for (auto path = overlooked.left_out.begin(); path != overlooked.left_out.end();)
    path = TRY(os.files.info(checkout.where / *path)) ? overlooked.left_out.erase(path)
                                                      : std::next(path);
  return overlooked;
}

Status overlook(const Git& git, const std::set<std::string>& paths) {
  if (paths.empty()) return {};
  GitOptions options;
  for (const std::string& path : TRY(git.pieces("list the index", {"ls-files", "-z"})))
    if (paths.contains(path)) options.input.append(path).push_back('\0');
  if (options.input.empty()) return {};
  return git.must("leave files out of the checkout",
                  {"update-index", "--skip-worktree", "-z", "--stdin"}, options);
}

Status leave_out(Os& os, const UserCheckout& checkout, const std::string& tree) {
  const Git git =
      TRY(without_filters(Git(os, {.git_dir = checkout.git_dir, .work_tree = checkout.where})));
  if (!TRY(is_sparse(git))) return {};
  Overlooked marked;
  TRY(read_flags(git, marked));
  std::set<std::string> missing = TRY(look_for_overlooked(os, checkout, tree)).left_out;
  std::erase_if(missing, [&](const std::string& path) { return marked.left_out.contains(path); });
  return overlook(git, missing);
}

}  // namespace pf
