#include "role/host/landing.h"

#include <fmt/format.h>

#include "base/error_text.h"
#include "base/text.h"
#include "git/merging.h"
#include "role/host/merge.h"

namespace pf {
namespace {

using role::Landing;
using role::Stage;

std::string ref_of(const std::string& branch) { return "refs/heads/" + branch; }

Git git_of(RoleLoop& loop) { return Git(loop.os(), {.git_dir = loop.paths().repository.common}); }

role::Command trouble(const Landing& landing, Stage stage, std::string what) {
  return role::ReportLandingTrouble{landing.number, stage, std::move(what)};
}

std::string not_committed(const Landing& landing, const std::vector<std::string>& paths) {
  const std::string approved = landing.salvage.empty() ? landing.commit.str() : landing.salvage;
  return fmt::format(
      "these files are not as they were approved and would be lost: {}; keep yours elsewhere and "
      "put "
      "them back: git restore --source={} -- <path>",
      clip(printable(join(paths, ", ")), 400), approved);
}

// Ignored or not, they are the feature's.
std::vector<std::string> forced_files(const Landing& landing) {
  if (landing.kind != role::LandingKind::feature) return {};
  return {std::string(role::kCurrentFolder)};
}

// What a landing keeps is known by its commit, so that a loop that begins anew overwrites nothing.
Result<std::string> keep(RoleLoop& loop, const Landing& landing, std::string_view what,
                         const CommitId& commit) {
  const std::string name =
      fmt::format("{}/{}-{}", what, landing.feature, commit.str().substr(0, 16));
  TRY(loop.workspace().anchor(name, commit.str()));
  return fmt::format("refs/pairflow/{}/{}", kRoleLoop, name);
}

Result<std::vector<TreeEdit>> closing_edits(const Checkout& checkout, const Landing& landing,
                                            const std::string& files) {
  const std::string reg(role::kRegisterFile), roadmap(role::kRoadmapFile);
  if (landing.kind == role::LandingKind::task)
    return std::vector<TreeEdit>{{reg, TRY(checkout.file_of(landing.tip.str(), reg))}};
  std::vector<TreeEdit> edits = {{reg, role::closing_text(landing, reg, "")},
                                 {std::string(role::kCurrentFolder), std::nullopt}};
  if (const auto text = TRY(checkout.file_of(files, roadmap)))
    if (auto closed = role::closing_text(landing, roadmap, *text))
      edits.push_back({roadmap, std::move(closed)});
  return edits;
}

// The commit that keeps the files of the landing's branch as they were approved.
Result<std::string> approved_files(RoleLoop& loop, const Landing& landing) {
  if (landing.salvage.empty()) return landing.commit.str();
  const auto kept = TRY(git_of(loop).ref(landing.salvage));
  if (kept) return *kept;
  return fail(Exit::refused, fmt::format("the ref {} is gone", landing.salvage),
              "it keeps what was approved",
              fmt::format("restore it, or set it to {}", landing.commit.str()));
}

}  // namespace

Result<role::Command> prepare_commit(RoleLoop& loop, const Landing& landing) {
  const Checkout checkout = loop.checkout();
  if (TRY(checkout.branch()) != landing.branch)
    return trouble(landing, Stage::prepare,
                   fmt::format("{} is not checked out any more", landing.branch));
  if (TRY(git_of(loop).ref(ref_of(landing.branch))) != landing.tip.str())
    return trouble(landing, Stage::prepare,
                   fmt::format("{} has moved since it was approved", landing.branch));
  const bool closes = landing.kind == role::LandingKind::feature;
  const auto shot = checkout.snapshot(forced_files(landing));
  if (!shot && shot.error().exit == Exit::refused)
    return trouble(landing, Stage::prepare, in_words(shot.error()));
  const TreeId files = TRY(shot);
  const std::string roadmap(role::kRoadmapFile);
  if (closes && !TRY(checkout.file_of(files.str(), roadmap)) && TRY(loop.document(roadmap)).exists)
    return trouble(landing, Stage::prepare,
                   fmt::format("git ignores {}: the feature would never be done; take it out of "
                               ".gitignore",
                               roadmap));
  const TreeId tree =
      TRY(checkout.edited(files.str(), TRY(closing_edits(checkout, landing, files.str()))));
  Workspace workspace = loop.workspace();
  role::ReportPrepared prepared;
  prepared.landing = landing.number;
  prepared.commit = TRY(workspace.make_commit({tree, landing.tip, role::commit_message(landing)}));
  TRY(keep(loop, landing, "commit", prepared.commit));
  if (!closes) return prepared;
  const CommitId whole = TRY(workspace.make_commit(
      {files, landing.tip,
       fmt::format("The files of {} as they were approved\n", role::name_of_landing(landing))}));
  prepared.salvage = TRY(keep(loop, landing, "salvage", whole));
  return prepared;
}

Result<role::Command> prepare_merge(RoleLoop& loop, const Landing& landing) {
  auto made = make_merge(loop, landing);
  if (made) return std::move(*made);
  if (made.error().exit != Exit::refused) return std::unexpected(made.error());
  return trouble(landing, landing.stage, made.error().what);
}

Result<role::Command> clear_tree(RoleLoop& loop, const Landing& landing) {
  const Checkout checkout = loop.checkout();
  const bool closes = landing.kind == role::LandingKind::feature;
  const auto tip = TRY(git_of(loop).ref(ref_of(landing.into)));
  if (!tip)
    return trouble(landing, Stage::clear,
                   fmt::format("the branch {} is gone; put it back: git branch {} <commit>",
                               landing.into, landing.into));
  const Path where = TRY(checkout_with(loop.os(), loop.paths().repository, landing.into));
  if (!where.empty() && where != loop.paths().repository.top)
    return trouble(landing, Stage::clear,
                   fmt::format("{} is checked out in {}; leave it there: git -C {} checkout "
                               "--detach",
                               landing.into, where.string(), shell_quoted(where.string())));
  const std::string approved = TRY(approved_files(loop, landing));
  std::string to = *tip;
  if (closes) {
    std::vector<TreeEdit> edits = {{std::string(role::kCurrentFolder), std::nullopt}};
    // A roadmap that the default branch does not have yet stays for the next feature.
    const std::string roadmap(role::kRoadmapFile);
    if (!TRY(checkout.file_of(to, roadmap)))
      edits.push_back({roadmap, TRY(checkout.file_of(approved, roadmap))});
    to = TRY(checkout.edited(to, edits)).str();
  }
  if (const auto bared = TRY(checkout.ignored_here_alone(to)); !bared.empty())
    return trouble(landing, Stage::clear,
                   fmt::format("only this feature's .gitignore keeps these out of the next commit: "
                               "{}; name them in .git/info/exclude, or remove them",
                               clip(printable(join(bared, ", ")), 400)));
  const auto lost = TRY(checkout.carry(approved, to, forced_files(landing)));
  if (!lost.empty()) return trouble(landing, Stage::clear, not_committed(landing, lost));
  TRY(checkout.set_index(*tip));
  TRY(checkout.set_head(landing.into));
  return role::ReportCleared{landing.number};
}

namespace {

// The files of a branch's checkout go along with it.
Result<std::vector<std::string>> follow(const Checkout& checkout, const Landing& landing,
                                        const role::MoveBranch& move) {
  const std::string roadmap(role::kRoadmapFile);
  std::string known = move.from.str();
  // It was left there by clear_tree, and the landing keeps it.
  if (!landing.salvage.empty() && !TRY(checkout.file_of(known, roadmap)))
    known =
        TRY(checkout.edited(known, {{roadmap, TRY(checkout.file_of(landing.salvage, roadmap))}}))
            .str();
  return checkout.follow(known, move.to.str());
}

}  // namespace

// The index comes first: whoever is killed in between leaves the branch where it was, and the next
// one does all of it again.
Result<std::optional<role::Command>> move_landed_branch(RoleLoop& loop, const Landing& landing,
                                                        const role::MoveBranch& move) {
  const RolePaths& paths = loop.paths();
  const Path where = TRY(checkout_with(loop.os(), paths.repository, move.branch));
  const Git git = git_of(loop);
  const auto swap = [&]() -> Result<std::optional<std::string>> {  // where it is instead
    const auto moved = git.set_ref(ref_of(move.branch), move.to.str(), move.from.str());
    if (moved) return std::nullopt;
    auto now = TRY(git.ref(ref_of(move.branch)));
    if (now == move.from.str()) return std::unexpected(moved.error());
    return now == move.to.str() ? std::nullopt : now;
  };
  if (where.empty()) {
    TRY(swap());
    return std::nullopt;
  }
  const Checkout checkout =
      where == paths.repository.top
          ? loop.checkout()
          : Checkout(loop.os(), paths.repository, where,
                     TRY(git_dir_of(loop.os(), paths.repository, where)), paths.index, "");
  // A feature that waits aside may be looked at in its branch; at hand, its files are there
  // already.
  const bool files_follow = landing.stage == Stage::move || landing.aside;
  if (files_follow) {
    const auto lost = TRY(follow(checkout, landing, move));
    if (!lost.empty())
      return trouble(landing, landing.stage,
                     fmt::format("not committed in {}: {}", where.string(),
                                 clip(printable(join(lost, ", ")), 400)));
  }
  TRY(checkout.set_index(move.to.str()));
  const auto now = TRY(swap());
  if (!now) return std::nullopt;
  if (files_follow) TRY(checkout.follow(move.to.str(), *now));
  TRY(checkout.set_index(*now));
  return std::nullopt;
}

Result<role::Command> make_branch(RoleLoop& loop, const role::BranchWanted& wanted) {
  const Git git = git_of(loop);
  if (!wanted.from.empty() && TRY(git.ref(ref_of(wanted.name))) == wanted.from.str())
    TRY(git.set_ref(ref_of(wanted.name), wanted.at.str(), wanted.from.str()));
  for (const std::string& name : {wanted.base, wanted.name})
    if (!name.empty() && !TRY(git.ref(ref_of(name))))
      if (auto made = git.set_ref(ref_of(name), wanted.at.str(), ""); !made)
        return role::ReportBranch{wanted.name, made.error().why};
  const Path elsewhere = TRY(checkout_with(loop.os(), loop.paths().repository, wanted.name));
  if (!elsewhere.empty() && elsewhere != loop.paths().repository.top)
    return role::ReportBranch{
        wanted.name, fmt::format("it is checked out in {}", printable(elsewhere.string()))};
  const Checkout checkout = loop.checkout();
  const auto tip = TRY(git.ref(ref_of(wanted.name)));
  const std::string at = TRY(git.line("look at HEAD", {"rev-parse", "HEAD"}));
  if (*tip != at) {
    const auto lost = TRY(checkout.follow(at, *tip));
    if (!lost.empty())
      return role::ReportBranch{wanted.name,
                                fmt::format("not committed: {}", clip(join(lost, ", "), 400))};
    TRY(checkout.set_index(*tip));
  }
  TRY(checkout.set_head(wanted.name));
  return role::ReportBranch{wanted.name};
}

}  // namespace pf
