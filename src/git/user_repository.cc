#include <fmt/format.h>

#include "base/text.h"
#include "git/git_user_repository.h"

namespace pf {

GitUserRepository::GitUserRepository(Os& os, WorkspaceSpec spec, const Path& ours)
    : os_(os),
      repository_(spec.repository),
      scratch_(spec.index),
      ours_(ours.string()),
      git_(os_, {.git_dir = repository_.common}),
      workspace_(os_, std::move(spec)) {}

Result<std::optional<std::string>> GitUserRepository::ref(const std::string& name) {
  return git_.ref(name);
}

Status GitUserRepository::set_ref(const std::string& name, const std::string& object,
                                  const std::optional<std::string>& expected) {
  return git_.set_ref(name, object, expected);
}

Result<Path> GitUserRepository::checkout_with(const std::string& branch) {
  return pf::checkout_with(os_, repository_, branch);
}

Result<TreeId> GitUserRepository::tree_of(const std::string& treeish) {
  return TreeId(TRY(git_.line("look at a tree", {"rev-parse", treeish + "^{tree}"})));
}

Result<std::optional<std::string>> GitUserRepository::file_of(const std::string& treeish,
                                                              const std::string& path) {
  const std::string entry =
      TRY(git_.output("look into a tree", {"ls-tree", "-z", treeish, "--", path}));
  const auto tab = entry.find('\t');
  if (tab == std::string::npos || !entry.starts_with("100")) return std::nullopt;
  const auto parts = split(std::string_view(entry).substr(0, tab), ' ');
  return TRY(git_.output("read a file of a tree", {"cat-file", "blob", std::string(parts[2])}));
}

Result<GitUserRepository::Paths> GitUserRepository::files_of(const std::string& treeish,
                                                             const std::string& directory) const {
  const auto all = TRY(git_.pieces(
      "look into a tree", {"ls-tree", "-r", "-z", "--name-only", treeish, "--", directory}));
  return Paths(all.begin(), all.end());
}

Result<TreeId> GitUserRepository::edited(const std::string& treeish,
                                         const std::vector<TreeEdit>& edits) {
  const PrivateIndex index = TRY(PrivateIndex::take(os_, scratch_, true));
  const Git git(os_, {.git_dir = repository_.common, .index = index.path()});
  TRY(git.must("read a tree", {"read-tree", treeish}));
  GitOptions removed;
  for (const TreeEdit& edit : edits) {
    if (edit.text) {
      const std::string blob = TRY(git.line(
          "store a file", {"hash-object", "-w", "--no-filters", "--stdin"}, {.input = *edit.text}));
      TRY(git.must("change a tree", {"update-index", "--add", "--replace", "--cacheinfo",
                                     fmt::format("100644,{},{}", blob, edit.path)}));
      continue;
    }
    const bool is_directory = edit.path.ends_with('/');
    for (const std::string& path :
         is_directory ? TRY(files_of(treeish, edit.path)) : Paths{edit.path})
      removed.input.append(path).push_back('\0');
  }
  if (!removed.input.empty())
    TRY(git.must("change a tree", {"update-index", "-z", "--force-remove", "--stdin"}, removed));
  return TreeId(TRY(git.line("record a tree", {"write-tree"})));
}

Result<CommitId> GitUserRepository::make_commit(const NewCommit& commit, const CommitId& second) {
  if (second.empty()) return workspace_.make_commit(commit);
  return CommitId(TRY(
      git_.line("make the merge", {"commit-tree", "--no-gpg-sign", "-p", commit.parent.str(), "-p",
                                   second.str(), "-m", commit.message, commit.tree.str()})));
}

Result<std::optional<CommitId>> GitUserRepository::merge_base(const CommitId& a,
                                                              const CommitId& b) {
  const Finished base = TRY(git_.run({"merge-base", a.str(), b.str()}));
  if (base.code > 1) return std::unexpected(git_error("compare two commits", base));
  if (!base.ok()) return std::nullopt;
  return CommitId(std::string(trim(base.out)));
}

Result<MergedTree> GitUserRepository::merge_trees(const CommitId& ours, const CommitId& theirs) {
  return pf::merge_trees(git_, ours.str(), theirs.str());
}

Result<MergeFact> GitUserRepository::look_at_merge(const CommitId& commit,
                                                   const std::string& branch) {
  return workspace_.look_at_merge(commit, branch);
}

Result<std::string> GitUserRepository::branch() {
  const Finished head = TRY(git_.run({"symbolic-ref", "-q", "--short", "HEAD"}));
  return head.ok() ? std::string(trim(head.out)) : std::string();
}

Result<CommitId> GitUserRepository::head() {
  return CommitId(TRY(git_.line("look at HEAD", {"rev-parse", "HEAD"})));
}

Result<RepositoryFact> GitUserRepository::look(const std::string& base,
                                               const std::string& pattern) {
  RepositoryFact fact;
  fact.branch = TRY(branch());
  fact.unfinished = TRY(unfinished());
  const Finished at = TRY(git_.run({"rev-parse", "-q", "--verify", "HEAD^{commit}"}));
  if (!at.ok())
    return fail(Exit::refused, "the repository has no commit yet", "a branch begins at one",
                "git commit --allow-empty -m \"first\"");
  fact.at = CommitId(std::string(trim(at.out)));
  const std::string named = ref_of_branch(pattern);
  for (const auto& [name, object] :
       TRY(git_.refs("list the branches", {ref_of_branch(base), named})))
    fact.branches.push_back({name.substr(ref_of_branch("").size()), CommitId(object)});
  fact.dirty = TRY(dirty());
  const BranchFact* tip = fact.find(base);
  if (tip == nullptr) return fact;
  const auto merged =
      TRY(git_.refs("look which branches are merged", {"--merged=" + tip->tip.str(), named}));
  for (BranchFact& branch : fact.branches)
    branch.merged = merged.contains(ref_of_branch(branch.name));
  return fact;
}

Result<bool> UserRepository::is_ancestor(const CommitId& older, const CommitId& newer) {
  return TRY(merge_base(older, newer)) == older;
}

std::unique_ptr<UserRepository> user_repository(Os& os, WorkspaceSpec spec, const Path& ours) {
  return std::make_unique<GitUserRepository>(os, std::move(spec), ours);
}

}  // namespace pf
