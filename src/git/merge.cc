#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "git/changes.h"
#include "git/following.h"
#include "git/merging.h"
#include "git/workspace.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

// What keeps the checkout from going along.
Result<std::vector<std::string>> uncommitted(Os& os, const Repository& repository,
                                             const UserCheckout& checkout, const TreeMove& move) {
  if (TRY(os.files.exists(checkout.git_dir / "MERGE_HEAD")))
    return std::vector<std::string>{"a merge is under way"};
  auto paths = TRY(Following::look(os, repository, checkout, move)).in_danger();
  for (std::string& path : TRY(staged_in_the_way(os, checkout, move)))
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
  std::ranges::sort(paths);
  return paths;
}

// Whether the user wants a merge of its own also where the branch could just go forward.
Result<bool> wants_merge_commit(const Git& git, const std::string& branch) {
  const auto ff = TRY(git.run({"config", "--get", "merge.ff"}));
  const auto options =
      TRY(git.run({"config", "--get", fmt::format("branch.{}.mergeoptions", branch)}));
  const auto words = split(trim(options.out), ' ');
  if (std::ranges::find(words, "--no-ff") != words.end()) return true;
  return trim(ff.out) == "false" && std::ranges::find(words, "--ff") == words.end();
}

// The git directory in which the ref is being rebased: HEAD does not name it then.
Result<std::optional<Path>> rebased_in(Os& os, const Path& common, const std::string& ref) {
  std::vector<Path> all = {common};
  for (const Entry& entry : TRY(os.files.list(common / "worktrees")))
    all.push_back(common / "worktrees" / entry.name);
  for (const Path& git_dir : all)
    for (const char* name : {"rebase-merge/head-name", "rebase-apply/head-name"})
      if (const auto text = TRY(os.files.read_if_there(git_dir / name)); text && trim(*text) == ref)
        return git_dir;
  return std::nullopt;
}

// Its arguments: the two commits, and the file for what merge-tree says.
constexpr const char* kMergeTrees = R"sh(
git merge-tree --write-tree --name-only --no-messages -z "$1" "$2" >"$3"
code=$?
[ "$code" -le 1 ] || exit "$code"
echo "$code" >"$3.code"
)sh";

// A driver's program may be one that an agent has written a part of, so it runs confined and what
// it made comes out as a pack.
Result<Finished> run_drivers(const Git& git, const Path& bubblewrap,
                             const std::vector<GitProgram>& programs, const std::string& ours,
                             const std::string& theirs) {
  Os& os = git.os();
  GitPlace place = git.place();
  const Path common = place.objects.empty() ? place.git_dir : place.objects.parent_path();
  const PrivateIndex room = TRY(PrivateIndex::take(os, common / "pairflow-merge", true));
  place.new_objects = room.directory() / "objects";
  place.cell = GitCell{.bubblewrap = bubblewrap,
                       .visible = places_of(os, programs, common.parent_path()),
                       .scratch = room.directory()};
  place.cell->visible.push_back(common);
  TRY(add_alternates(os, common / "objects", place.cell->visible));
  const Path said = room.directory() / "said";
  Finished merged =
      TRY(git.run_fed({"unpack-objects", "-q", "--strict"}, Git(os, std::move(place)),
                      std::string(kMergeTrees) + kSayNewObjects, {ours, theirs, said.string()}));
  const auto code = TRY(os.files.read_if_there(Path(said) += ".code", kPointerBytes));
  if (!merged.ok() || !code) {
    merged.code = std::max(merged.code, 2);
    return merged;
  }
  merged.code = trim(*code) == "1" ? 1 : 0;
  merged.out = TRY(os.files.read(said));
  return merged;
}

Result<Finished> run_merge_tree(const Git& git, const std::string& ours,
                                const std::string& theirs) {
  auto programs = TRY(git_programs(git));
  std::erase_if(programs, [](const auto& one) { return !one.key.starts_with("merge."); });
  const auto sandbox = programs.empty() ? std::nullopt : find_enforcement(git.os()).program;
  if (sandbox) return run_drivers(git, *sandbox, programs, ours, theirs);
  return git.run(
      {"merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs});
}

Result<UserCheckout> users_checkout(Os& os, const WorkspaceSpec& spec, const Path& where) {
  return UserCheckout{where, TRY(git_dir_of(os, spec.repository, where)),
                      Path(spec.index) += ".merge"};
}

}  // namespace

Result<Path> checkout_with(Os& os, const Repository& repository, const std::string& branch) {
  Path where = TRY(Git(os, {.git_dir = repository.common})
                       .line("look where a branch is checked out",
                             {"for-each-ref", "--format=%(worktreepath)", ref_of_branch(branch)}));
  // So git calls a worktree apart from its .git.
  return where == repository.common ? repository.top : where;
}

Result<Path> git_dir_of(Os& os, const Repository& repository, const Path& checkout) {
  if (checkout == repository.top) return repository.common;
  const auto text = os.files.read(checkout / ".git", kPointerBytes);
  const auto named = text ? pointer(*text, "gitdir: ", checkout) : std::nullopt;
  if (named) return *named;
  return fail(Exit::refused, fmt::format("the base's checkout {} is gone", checkout.string()),
              "git still knows it as a worktree", "git worktree prune, or git worktree repair");
}

Result<MergedTree> merge_trees(const Git& git, const std::string& ours, const std::string& theirs) {
  const Finished merged = TRY(run_merge_tree(git, ours, theirs));
  if (merged.code > 1) return std::unexpected(git_error("merge the two trees", merged));
  auto pieces = split_nul(merged.out);
  if (pieces.empty()) return std::unexpected(git_error("merge the two trees", merged));
  MergedTree result{pieces.front(), {}};
  for (auto path = pieces.begin() + 1; path != pieces.end(); ++path)
    result.conflicts.push_back(shown_path(*path));
  if (merged.code == 1 && result.conflicts.empty()) result.conflicts.emplace_back("(unnamed)");
  return result;
}

Result<bool> is_ancestor(const Git& git, const std::string& older, const std::string& newer) {
  const auto asked = TRY(git.run({"merge-base", "--is-ancestor", older, newer}));
  if (asked.code > 1) return std::unexpected(git_error("compare two commits", asked));
  return asked.ok();
}

Result<MergeFact> Workspace::look_at_merge(const CommitId& commit,
                                           const std::string& branch) const {
  TRY(check_object_id(commit.str()));
  const std::string ref = ref_of_branch(branch);
  const auto base = TRY(main().ref(ref));
  if (!base)
    return fail(Exit::refused, fmt::format("the branch '{}' is gone", branch), "",
                fmt::format("put it back: git branch {} <commit>; or merge {} where you want it",
                            branch, commit.str()));
  MergeFact fact;
  fact.base = CommitId(*base);
  fact.checkout = TRY(checkout_with(os_, spec_.repository, branch)).string();
  fact.contains = TRY(is_ancestor(main(), commit.str(), fact.base.str()));
  if (fact.contains) return fact;
  const Git git(os_, TRY(objects()));
  MergedTree merged = TRY(merge_trees(git, fact.base.str(), commit.str()));
  fact.tree = TreeId(std::move(merged.tree));
  fact.conflicts = std::move(merged.conflicts);
  if (const auto where = TRY(rebased_in(os_, spec_.repository.common, ref)))
    fact.checkout = where->string(), fact.dirty = {"a rebase of it is under way"};
  else if (!fact.checkout.empty())
    fact.dirty =
        TRY(uncommitted(os_, spec_.repository, TRY(users_checkout(os_, spec_, fact.checkout)),
                        {fact.base.str(), fact.tree.str()}));
  return fact;
}

// The commit that the branch is to be at: exactly the tree that `fact` saw.
Result<CommitId> Workspace::merge_commit(const CommitId& commit, const std::string& branch,
                                         const MergeFact& fact) {
  const bool forward = TRY(is_ancestor(main(), fact.base.str(), commit.str()));
  if (forward && !TRY(wants_merge_commit(main(), branch))) return commit;
  const std::string into = fact.checkout.empty() ? fmt::format(" into {}", branch) : "";
  return CommitId(TRY(
      main().line("make the merge",
                  {"commit-tree", "--no-gpg-sign", "-p", fact.base.str(), "-p", commit.str(), "-m",
                   fmt::format("Merge branch '{}'{}", spec_.branch, into), fact.tree.str()})));
}

// Files, then the index, then the branch: a process that is killed in between leaves the branch
// where it was, and the next one does what is left.
Status Workspace::bring_along(const Path& where, const CommitId& from, const CommitId& to) {
  const UserCheckout checkout = TRY(users_checkout(os_, spec_, where));
  const TreeMove move{from.str(), to.str()};
  auto following = TRY(Following::look(os_, spec_.repository, checkout, move));
  auto lost = following.in_danger();
  if (lost.empty()) lost = TRY(staged_in_the_way(os_, checkout, move));
  if (!lost.empty())
    return fail(Exit::refused, fmt::format("cannot merge in {}", where.string()),
                fmt::format("these are not committed and would be overwritten: {}",
                            clip(printable(join(lost, ", ")), 400)),
                "commit, stash or move them, then run the same command again");
  TRY(following.change_files());
  return move_index(os_, checkout, {from.str(), to.str()});
}

Result<CommitId> Workspace::merge(const CommitId& commit, const std::string& branch,
                                  const MergeFact& fact) {
  const CommitId made = TRY(merge_commit(commit, branch, fact));
  if (!fact.checkout.empty()) TRY(bring_along(fact.checkout, fact.base, made));
  const std::string ref = ref_of_branch(branch);
  const auto moved = main().set_ref(ref, made.str(), fact.base.str());
  if (moved) return made;
  const auto now = TRY(main().ref(ref));
  if (now == made.str()) return made;
  if (!now || now == fact.base.str()) return std::unexpected(moved.error());
  if (!fact.checkout.empty()) TRY(bring_along(fact.checkout, made, CommitId(*now)));
  return fail(Exit::refused, fmt::format("the branch '{}' was moved meanwhile", branch), "",
              "run the same command again");
}

}  // namespace pf
