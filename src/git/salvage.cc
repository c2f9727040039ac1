// How it works. Work is in danger when only the bubble's own branch, HEAD or files hold it: those
// go when the bubble is cleaned up. Files become a commit on top of the branch tip; commits are
// kept as they are. Both live on under refs/pairflow/<id>/salvage/.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/workspace.h"

namespace pf {
namespace {

constexpr const char* kSalvage = "salvage/";
constexpr int kNumberTries = 100;  // somebody else may take a number first

struct Kept {
  std::string ref;
  std::string object;
  std::string tree;
  std::string parents;
};

Result<std::vector<Kept>> kept_below(const Git& git, const std::string& prefix) {
  const auto text = TRY(
      git.output("list what was kept",
                 {"for-each-ref", "--format=%(refname) %(objectname) %(tree) %(parent)", prefix}));
  std::vector<Kept> kept;
  for (const auto line : split(text, '\n')) {
    const auto parts = split(line, ' ');
    if (parts.size() < 3) continue;
    kept.push_back({std::string(parts[0]), std::string(parts[1]), std::string(parts[2]),
                    std::string(parts.size() > 3 ? parts[3] : "")});
  }
  return kept;
}

Result<TreeId> tree_of(const Git& git, const CommitId& commit) {
  return TreeId(
      TRY(git.line("look at the branch", {"rev-parse", "--verify", commit.str() + "^{tree}"})));
}

int number_of_ref(std::string_view ref) {
  return parse_number<int>(ref.substr(ref.rfind('/') + 1)).value_or(0);
}

}  // namespace

Result<std::string> Workspace::keep(const std::string& commit) {
  TRY(fetch_home(commit));
  const auto kept = TRY(kept_below(main(), own_ref(kSalvage)));
  int next = 1;
  for (const auto& one : kept) {
    if (one.object == commit) return one.ref;
    next = std::max(next, number_of_ref(one.ref) + 1);
  }
  for (int i = 0; i < kNumberTries; ++i) {
    auto ref = fmt::format("{}{}", own_ref(kSalvage), next + i);
    if (TRY(main().ref(ref))) continue;
    auto made = main().set_ref(ref, commit, "");
    if (made) return ref;
    if (!TRY(main().ref(ref))) return std::unexpected(std::move(made).error());
  }
  return fail(Exit::machine, "cannot keep the bubble's work", "its salvage refs keep changing",
              "run the command again");
}

Result<std::string> Workspace::keep_tree(const TreeFact& fact) {
  TRY(fetch_home(fact.tip.str()));
  for (const auto& one : TRY(kept_below(main(), own_ref(kSalvage))))
    if (one.tree == fact.tree.str() && one.parents == fact.tip.str()) return one.ref;
  return keep(
      TRY(loose_commit(fact.tree, fact.tip, fmt::format("salvage of {}\n", spec_.bubble), true))
          .str());
}

Result<CommitId> Workspace::loose_commit(const TreeId& tree, const CommitId& parent,
                                         const std::string& message, bool dated) {
  GitOptions options{.input = message};
  for (const auto* who : {"AUTHOR", "COMMITTER"}) {
    options.environment.emplace_back(fmt::format("GIT_{}_NAME", who), "pairflow");
    options.environment.emplace_back(fmt::format("GIT_{}_EMAIL", who), "pairflow@localhost");
    if (!dated) options.environment.emplace_back(fmt::format("GIT_{}_DATE", who), "@0 +0000");
  }
  return CommitId(TRY(main().line(
      "keep the bubble's files",
      {"commit-tree", "--no-gpg-sign", "-p", parent.str(), "-F", "-", tree.str()}, options)));
}

// The commits the bubble's own refs and HEAD point to that no other ref of the user's holds.
Result<std::vector<std::string>> Workspace::loose_tips(const Path& git_dir) {
  std::set<std::string> tips;
  if (const auto at = TRY(main().ref(branch_ref()))) tips.insert(*at);
  if (!git_dir.empty()) {
    const Git git(os_, {.git_dir = git_dir});
    const auto head = TRY(git.run({"rev-parse", "-q", "--verify", "HEAD^{commit}"}));
    if (head.ok()) tips.emplace(trim(head.out));
    if (spec_.mode == WorkMode::clone) {
      const auto refs = TRY(
          git.output("list the clone's branches", {"for-each-ref", "--format=%(objectname)",
                                                   "refs/heads/", "refs/stash", "refs/pairflow/"}));
      for (const auto line : split(refs, '\n'))
        if (!line.empty()) tips.emplace(line);
    }
  }
  std::vector<std::string> loose;
  for (const auto& tip : tips) {
    const auto unheld =
        TRY(main().run({"rev-list", "-n", "1", "--single-worktree", tip, "--not", spec_.base.str(),
                        "--exclude=" + branch_ref(),
                        fmt::format("--exclude={}*", own_ref(kSalvage)), "--all", "--"}));
    if (!unheld.ok() || !unheld.out.empty()) loose.push_back(tip);
  }
  return loose;
}

Result<std::vector<std::string>> Workspace::salvage() {
  const Link link = TRY(inspect(os_, spec_));
  const bool there = link.site == Site::ours;
  std::vector<std::string> refs;
  std::string covered;
  if (there && link.ready) {
    const TreeFact fact = TRY(snapshot(true));
    const auto tip_tree = TRY(tree_of(own(), fact.tip));
    if (fact.tree != fact.base_tree && tip_tree != fact.tree) {
      refs.push_back(TRY(keep_tree(fact)));
      covered = fact.tip.str();
    }
  }
  for (const auto& tip : TRY(loose_tips(there ? link.git_dir : Path())))
    if (tip != covered) refs.push_back(TRY(keep(tip)));
  return refs;
}

Status Workspace::refuse_unsaved(const Path& git_dir) {
  const auto unsaved = [&](std::string why) {
    return fail(Exit::refused,
                fmt::format("bubble '{}' holds work that is kept nowhere else", spec_.bubble),
                std::move(why),
                fmt::format("pairflow bubble stop --id {} keeps it under refs/pairflow/{}/salvage",
                            spec_.bubble, spec_.bubble));
  };
  const TreeFact fact = TRY(snapshot(true));
  for (const auto& file : fact.changed)
    if (file.mode == "160000" && file.status != "D")
      return fail(Exit::refused,
                  fmt::format("'{}' is a repository of its own", printable(file.path)),
                  "its history would be lost with the bubble's directory",
                  "move it away and run the command again");
  const auto kept = TRY(kept_below(main(), own_ref("")));
  const bool tree_kept =
      fact.tree == fact.base_tree || std::ranges::any_of(kept, [&](const Kept& one) {
        return one.object == fact.tree.str() || one.tree == fact.tree.str();
      });
  const auto tip_tree = TRY(tree_of(own(), fact.tip));
  if (!tree_kept && tip_tree != fact.tree)
    return unsaved(fmt::format("{} changed files", fact.changed.size()));
  for (const auto& tip : TRY(loose_tips(git_dir))) {
    const bool on_branch = TRY(main().ref(branch_ref())) == tip;
    const bool is_kept = std::ranges::any_of(
        kept, [&](const Kept& one) { return one.object == tip || one.parents == tip; });
    if (!on_branch && !is_kept) return unsaved(fmt::format("the commit {}", tip));
  }
  return {};
}

}  // namespace pf
