#include "git/fake/user_repository.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.h"

namespace pf {
namespace {

using Tree = FakeGitDirectory::Tree;
using Text = std::optional<std::string>;

std::string ref_of(const std::string& branch) { return "refs/heads/" + branch; }

Text text_in(const Tree& tree, const std::string& path) {
  const auto at = tree.find(path);
  return at == tree.end() ? Text() : Text(at->second);
}

std::set<std::string> differing(const Tree& a, const Tree& b) {
  std::set<std::string> paths;
  for (const Tree* tree : {&a, &b})
    for (const auto& [path, text] : *tree)
      if (text_in(a, path) != text_in(b, path)) paths.insert(path);
  return paths;
}

void put(Tree& tree, const std::string& path, const Text& text) {
  if (text)
    tree[path] = *text;
  else
    tree.erase(path);
}

// All that a commit has behind it, itself among it, nearest first.
std::vector<CommitId> history(const FakeGitDirectory& git, const CommitId& commit) {
  std::vector<CommitId> all = {commit};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const CommitId& parent : git.commits.at(all[i].str()).parents)
      if (std::ranges::find(all, parent) == all.end()) all.push_back(parent);
  return all;
}

// As a shell's: a star stands for anything within one part of a path.
bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*')
    return !text.empty() && text.front() == pattern.front() &&
           matches(pattern.substr(1), text.substr(1));
  for (std::size_t i = 0;; ++i) {
    if (matches(pattern.substr(1), text.substr(i))) return true;
    if (i == text.size() || text[i] == '/') return false;
  }
}

Error no_object(const std::string& name) {
  return {Exit::machine, "cannot look at " + name, "there is no such object"};
}

}  // namespace

TreeId FakeGitDirectory::add(const Tree& tree) {
  std::string text = "tree\n";
  for (const auto& [path, content] : tree) text += path + "\n" + hash_of(content).str() + "\n";
  const std::string id = hash_of(text).str();
  trees[id] = tree;
  return TreeId(id);
}

CommitId FakeGitDirectory::add(const Commit& commit) {
  std::string text = "commit\n" + commit.tree.str() + "\n";
  for (const CommitId& parent : commit.parents) text += parent.str() + "\n";
  const std::string id = hash_of(text + commit.message).str();
  commits[id] = commit;
  return CommitId(id);
}

const Tree* FakeGitDirectory::find(const std::string& treeish) const {
  if (const auto at = trees.find(treeish); at != trees.end()) return &at->second;
  if (const auto at = commits.find(treeish); at != commits.end())
    return &trees.at(at->second.tree.str());
  const auto at = refs.find(treeish);
  return at == refs.end() ? nullptr : find(at->second);
}

Status FakeUserRepository::begin() {
  TRY(files_.info(top_ / ".git"));
  return {};
}

Result<Tree> FakeUserRepository::tree_at(const std::string& treeish) {
  const Tree* tree = git_.find(treeish);
  if (tree == nullptr) return std::unexpected(no_object(treeish));
  return *tree;
}

Result<std::optional<std::string>> FakeUserRepository::ref(const std::string& name) {
  TRY(begin());
  return text_in(git_.refs, name);
}

Status FakeUserRepository::set_ref(const std::string& name, const std::string& object,
                                   const std::optional<std::string>& expected) {
  TRY(begin());
  if (!git_.commits.contains(object)) return std::unexpected(no_object(object));
  if (expected && text_in(git_.refs, name).value_or("") != *expected)
    return fail(Exit::machine, "cannot set the ref " + name, "it is not where it is expected");
  git_.refs[name] = object;
  return {};
}

Result<Path> FakeUserRepository::checkout_with(const std::string& branch) {
  TRY(begin());
  const bool here = git_.head == ref_of(branch) && git_.refs.contains(git_.head);
  return here ? top_ : Path();
}

Result<TreeId> FakeUserRepository::tree_of(const std::string& treeish) {
  TRY(begin());
  return git_.add(TRY(tree_at(treeish)));
}

Result<std::optional<std::string>> FakeUserRepository::file_of(const std::string& treeish,
                                                               const std::string& path) {
  TRY(begin());
  return text_in(TRY(tree_at(treeish)), path);
}

Result<TreeId> FakeUserRepository::edited(const std::string& treeish,
                                          const std::vector<TreeEdit>& edits) {
  TRY(begin());
  Tree tree = TRY(tree_at(treeish));
  for (const TreeEdit& edit : edits) {
    if (edit.path.ends_with('/'))
      std::erase_if(tree, [&](const auto& file) { return file.first.starts_with(edit.path); });
    else
      put(tree, edit.path, edit.text);
  }
  return git_.add(tree);
}

Result<CommitId> FakeUserRepository::make_commit(const NewCommit& commit, const CommitId& second) {
  TRY(begin());
  FakeGitDirectory::Commit made{commit.tree, {commit.parent}, commit.message};
  if (!second.empty()) made.parents.push_back(second);
  return git_.add(made);
}

Result<std::optional<CommitId>> FakeUserRepository::merge_base(const CommitId& a,
                                                               const CommitId& b) {
  TRY(begin());
  for (const CommitId& commit : {a, b})
    if (!git_.commits.contains(commit.str())) return std::unexpected(no_object(commit.str()));
  const auto ours = history(git_, a), theirs = history(git_, b);
  // The nearest one that no other common one comes from.
  std::vector<CommitId> common;
  for (const CommitId& commit : ours)
    if (std::ranges::find(theirs, commit) != theirs.end()) common.push_back(commit);
  for (const CommitId& commit : common) {
    const bool behind = std::ranges::any_of(common, [&](const CommitId& other) {
      const auto before = history(git_, other);
      return other != commit && std::ranges::find(before, commit) != before.end();
    });
    if (!behind) return commit;
  }
  return std::nullopt;
}

Result<MergedTree> FakeUserRepository::merge_trees(const CommitId& ours, const CommitId& theirs) {
  const auto base = TRY(merge_base(ours, theirs));
  const Tree before = base ? TRY(tree_at(base->str())) : Tree();
  Tree merged = TRY(tree_at(ours.str()));
  const Tree other = TRY(tree_at(theirs.str()));
  MergedTree result;
  for (const std::string& path : differing(before, other)) {
    const Text now = text_in(merged, path), wanted = text_in(other, path);
    if (now == wanted) continue;
    const bool alone = now == text_in(before, path);
    if (!alone) result.conflicts.push_back(path);
    put(merged, path, alone ? wanted : Text("<<<<<<<\n" + now.value_or("") + wanted.value_or("")));
  }
  result.tree = git_.add(merged).str();
  return result;
}

Result<MergeFact> FakeUserRepository::look_at_merge(const CommitId& commit,
                                                    const std::string& branch) {
  const auto tip = TRY(ref(ref_of(branch)));
  if (!tip) return fail(Exit::refused, fmt::format("the branch '{}' is gone", branch));
  MergeFact fact;
  fact.base = CommitId(*tip);
  fact.checkout = TRY(checkout_with(branch)).string();
  fact.contains = TRY(is_ancestor(commit, fact.base));
  if (fact.contains) return fact;
  const MergedTree merged = TRY(merge_trees(fact.base, commit));
  fact.tree = TreeId(merged.tree);
  fact.conflicts = merged.conflicts;
  if (fact.checkout.empty()) return fact;
  const Tree now = TRY(read_files()), index = TRY(tree_at(git_.index.str()));
  const Tree from = TRY(tree_at(fact.base.str())), to = TRY(tree_at(merged.tree));
  for (const std::string& path : differing(from, to)) {
    const auto is_neither = [&](const Tree& tree) {
      const auto text = text_in(tree, path);
      return text != text_in(from, path) && text != text_in(to, path);
    };
    if (is_neither(now) || is_neither(index)) fact.dirty.push_back(path);
  }
  return fact;
}

Result<RepositoryFact> FakeUserRepository::look(const std::string& base,
                                                const std::string& pattern) {
  RepositoryFact fact;
  fact.branch = TRY(branch());
  fact.at = TRY(head());
  const auto main = text_in(git_.refs, ref_of(base));
  const auto merged = main ? history(git_, CommitId(*main)) : std::vector<CommitId>();
  for (const auto& [name, tip] : git_.refs) {
    const bool is_base = name == ref_of(base);
    const bool fits = matches(ref_of(pattern), name);
    if (!is_base && !fits) continue;
    const bool has = std::ranges::find(merged, CommitId(tip)) != merged.end();
    fact.branches.push_back({name.substr(ref_of("").size()), CommitId(tip), fits && has});
  }
  fact.dirty = TRY(dirty());
  return fact;
}

Result<std::vector<std::string>> FakeUserRepository::dirty() {
  TRY(begin());
  const Tree now = TRY(read_files()), index = TRY(tree_at(git_.index.str()));
  std::set<std::string> paths = differing(git_.head_tree(), index);
  paths.merge(differing(index, now));
  paths.erase(ours_);
  return std::vector<std::string>(paths.begin(), paths.end());
}

Result<std::string> FakeUserRepository::branch() {
  TRY(begin());
  return git_.head.substr(ref_of("").size());
}

Result<CommitId> FakeUserRepository::head() {
  TRY(begin());
  return CommitId(git_.refs.at(git_.head));
}

Result<TreeId> FakeUserRepository::snapshot(const std::vector<std::string>&) {
  TRY(begin());
  return git_.add(TRY(read_files()));
}

Result<std::vector<std::string>> FakeUserRepository::carry(const std::string& known,
                                                           const std::string& to,
                                                           const std::vector<std::string>&) {
  TRY(begin());
  const Tree now = TRY(read_files());
  Tree wanted = TRY(tree_at(to));
  put(wanted, ours_, text_in(now, ours_));
  const auto unknown = differing(now, TRY(tree_at(known)));
  std::vector<std::string> in_danger;
  for (const std::string& path : differing(now, wanted))
    if (unknown.contains(path)) in_danger.push_back(path);
  if (in_danger.empty()) TRY(write_files(now, wanted));
  return in_danger;
}

Result<std::vector<std::string>> FakeUserRepository::follow(const Path&, const std::string& known,
                                                            const std::string& to) {
  TRY(begin());
  const Tree now = TRY(read_files());
  const Tree from = TRY(tree_at(known)), there = TRY(tree_at(to));
  const auto moved = differing(now, from), open = differing(now, there);
  Tree wanted = now;
  std::vector<std::string> in_danger;
  for (const std::string& path : differing(from, there)) {
    if (path == ours_ || !open.contains(path)) continue;
    if (moved.contains(path)) in_danger.push_back(path);
    put(wanted, path, text_in(there, path));
  }
  if (in_danger.empty()) TRY(write_files(now, wanted));
  return in_danger;
}

Result<std::vector<std::string>> FakeUserRepository::ignored_here_alone(const std::string&) {
  return std::vector<std::string>();
}

Status FakeUserRepository::set_head(const std::string& branch) {
  TRY(begin());
  git_.head = ref_of(branch);
  return {};
}

Status FakeUserRepository::set_index(const Path&, const std::string& treeish) {
  TRY(begin());
  git_.index = git_.add(TRY(tree_at(treeish)));
  return {};
}

Result<Tree> FakeUserRepository::read_files() {
  Tree tree;
  TRY(read_below("", tree));
  return tree;
}

Status FakeUserRepository::read_below(const Path& directory, Tree& tree) {
  for (const Entry& entry : TRY(files_.list(top_ / directory))) {
    const Path path = directory / entry.name;
    if (path == ".git" || path == ".pairflow") continue;
    if (entry.kind == FileKind::directory)
      TRY(read_below(path, tree));
    else if (const auto text = TRY(files_.read_if_there(top_ / path)))
      tree[path.string()] = *text;
  }
  return {};
}

// One file after the other, each whole and durable. Git's are neither: what a loss of power takes
// of them is in its objects, for people to restore.
Status FakeUserRepository::write_files(const Tree& now, const Tree& wanted) {
  for (const std::string& path : differing(now, wanted)) {
    const Path file = top_ / path;
    if (const Text text = text_in(wanted, path)) {
      const Path fresh = top_ / ".git" / "checkout.next";
      TRY(files_.make_directories(file.parent_path()));
      TRY(files_.replace(fresh, *text, Durable::yes));
      TRY(files_.rename(fresh, file));
    } else {
      TRY(files_.remove(file));
    }
    TRY(files_.sync_directory(file.parent_path()));
  }
  return {};
}

}  // namespace pf
