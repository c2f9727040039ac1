#include "role/host/landing.h"

#include <fmt/format.h>

#include "base/error_text.h"
#include "base/text.h"
#include "role/host/merge.h"

namespace pf {
namespace {

using role::Landing;
using role::LandingKind;
using role::Stage;

std::string ref_of(const std::string& branch) { return "refs/heads/" + branch; }

role::Command trouble(int landing, Stage stage, std::string what) {
  return role::ReportLandingTrouble{landing, stage, std::move(what)};
}

std::string listed(const std::vector<std::string>& paths) {
  return clip(printable(join(paths, ", ")), 400);
}

std::string not_committed(const role::ClearTree& effect, const std::vector<std::string>& paths) {
  const std::string approved = effect.salvage.empty() ? effect.commit.str() : effect.salvage;
  return fmt::format(
      "these files are not as they were approved and would be lost: {}; keep yours elsewhere and "
      "put them back: git restore --source={} -- <path>",
      listed(paths), approved);
}

// Ignored or not, they are the feature's.
std::vector<std::string> forced_files(LandingKind kind) {
  if (kind != LandingKind::feature) return {};
  return {std::string(role::kCurrentFolder)};
}

// What a landing keeps is known by its commit, so that a loop that begins anew overwrites nothing.
Result<std::string> keep(UserRepository& git, const Landing& landing, std::string_view what,
                         const CommitId& commit) {
  return keep_commit(
      git, fmt::format("{}/{}-{}", what, landing.feature, commit.str().substr(0, 16)), commit);
}

Result<std::vector<TreeEdit>> closing_edits(UserRepository& git, const Landing& landing,
                                            const std::string& files) {
  const std::string reg(role::kRegisterFile), roadmap(role::kRoadmapFile);
  if (landing.kind == LandingKind::task)
    return std::vector<TreeEdit>{{reg, TRY(git.file_of(landing.tip.str(), reg))}};
  std::vector<TreeEdit> edits = {{reg, role::closing_text(landing, reg, "")},
                                 {std::string(role::kCurrentFolder), std::nullopt}};
  if (const auto text = TRY(git.file_of(files, roadmap)))
    if (auto closed = role::closing_text(landing, roadmap, *text))
      edits.push_back({roadmap, std::move(closed)});
  return edits;
}

// The commit that keeps the files of the landing's branch as they were approved.
Result<std::string> approved_files(UserRepository& git, const role::ClearTree& effect) {
  if (effect.salvage.empty()) return effect.commit.str();
  const auto kept = TRY(git.ref(effect.salvage));
  if (kept) return *kept;
  return fail(Exit::refused, fmt::format("the ref {} is gone", effect.salvage),
              "it keeps what was approved",
              fmt::format("restore it, or set it to {}", effect.commit.str()));
}

// Checks a branch out whose files and index are there as they are at `tip`. While nobody had it
// checked out, others could move it: they follow.
Status check_out(UserRepository& git, const Path& top, const std::string& branch,
                 const std::string& tip) {
  TRY(git.set_head(branch));
  const auto now = TRY(git.ref(ref_of(branch)));
  if (!now || now == tip) return {};
  TRY(git.follow(top, tip, *now));
  return git.set_index(top, *now);
}

}  // namespace

Result<role::Command> prepare_commit(RoleLoop& loop, const role::PrepareCommit& effect) {
  UserRepository& git = loop.git();
  const Landing& landing = effect.landing;
  const auto stopped = [&](std::string what) {
    return trouble(landing.number, Stage::prepare, std::move(what));
  };
  if (TRY(git.branch()) != landing.branch)
    return stopped(fmt::format("{} is not checked out any more", landing.branch));
  if (TRY(git.ref(ref_of(landing.branch))) != landing.tip.str())
    return stopped(fmt::format("{} has moved since it was approved", landing.branch));
  const bool closes = landing.kind == LandingKind::feature;
  const auto shot = git.snapshot(forced_files(landing.kind));
  if (!shot && shot.error().exit == Exit::refused) return stopped(in_words(shot.error()));
  const TreeId files = TRY(shot);
  const std::string roadmap(role::kRoadmapFile);
  if (closes && !TRY(git.file_of(files.str(), roadmap)) && TRY(loop.document(roadmap)).exists)
    return stopped(fmt::format(
        "git ignores {}: the feature would never be done; take it out of .gitignore", roadmap));
  const TreeId tree = TRY(git.edited(files.str(), TRY(closing_edits(git, landing, files.str()))));
  role::ReportPrepared prepared;
  prepared.landing = landing.number;
  prepared.commit = TRY(git.make_commit({tree, landing.tip, role::commit_message(landing)}, {}));
  TRY(keep(git, landing, "commit", prepared.commit));
  if (!closes) return prepared;
  const CommitId whole = TRY(git.make_commit(
      {files, landing.tip,
       fmt::format("The files of {} as they were approved\n", role::name_of_landing(landing))},
      {}));
  prepared.salvage = TRY(keep(git, landing, "salvage", whole));
  return prepared;
}

Result<role::Command> prepare_merge(RoleLoop& loop, const role::PrepareMerge& effect) {
  auto made = make_merge(loop.git(), effect.landing);
  if (made) return std::move(*made);
  if (made.error().exit != Exit::refused) return std::unexpected(made.error());
  return trouble(effect.landing.number, effect.landing.stage, made.error().what);
}

Result<role::Command> clear_tree(RoleLoop& loop, const role::ClearTree& effect) {
  UserRepository& git = loop.git();
  const Path& top = loop.paths().repository.top;
  const auto stopped = [&](std::string what) {
    return trouble(effect.landing, Stage::clear, std::move(what));
  };
  const auto tip = TRY(git.ref(ref_of(effect.to)));
  if (!tip)
    return stopped(fmt::format("the branch {} is gone; put it back: git branch {} <commit>",
                               effect.to, effect.to));
  const Path where = TRY(git.checkout_with(effect.to));
  if (!where.empty() && where != top)
    return stopped(
        fmt::format("{} is checked out in {}; leave it there: git -C {} checkout "
                    "--detach",
                    effect.to, where.string(), shell_quoted(where.string())));
  const std::string approved = TRY(approved_files(git, effect));
  std::string to = *tip;
  if (effect.kind == LandingKind::feature) {
    std::vector<TreeEdit> edits = {{std::string(role::kCurrentFolder), std::nullopt}};
    // A roadmap that the default branch does not have yet stays for the next feature.
    const std::string roadmap(role::kRoadmapFile);
    if (!TRY(git.file_of(to, roadmap)))
      edits.push_back({roadmap, TRY(git.file_of(approved, roadmap))});
    to = TRY(git.edited(to, edits)).str();
  }
  if (const auto bared = TRY(git.ignored_here_alone(to)); !bared.empty())
    return stopped(
        fmt::format("only this feature's .gitignore keeps these out of the next commit: "
                    "{}; name them in .git/info/exclude, or remove them",
                    listed(bared)));
  const auto lost = TRY(git.carry(approved, to, forced_files(effect.kind)));
  if (!lost.empty()) return stopped(not_committed(effect, lost));
  TRY(git.set_index(top, *tip));
  TRY(check_out(git, top, effect.to, *tip));
  return role::ReportCleared{effect.landing};
}

namespace {

// The files of a branch's checkout go along with it.
Result<std::vector<std::string>> follow(UserRepository& git, const Path& where,
                                        const role::MoveBranch& move) {
  const std::string roadmap(role::kRoadmapFile);
  std::string known = move.from.str();
  // It was left there by clear_tree, and the landing keeps it.
  if (!move.salvage.empty() && !TRY(git.file_of(known, roadmap)))
    known = TRY(git.edited(known, {{roadmap, TRY(git.file_of(move.salvage, roadmap))}})).str();
  return git.follow(where, known, move.to.str());
}

}  // namespace

// The index comes first: a process killed in between leaves the branch where it was, and the next
// one does all of it again.
Result<std::optional<role::Command>> move_landed_branch(RoleLoop& loop,
                                                        const role::MoveBranch& move) {
  UserRepository& git = loop.git();
  const Path where = TRY(git.checkout_with(move.branch));
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
  if (move.with_files) {
    const auto lost = TRY(follow(git, where, move));
    if (!lost.empty())
      return trouble(move.landing, move.stage,
                     fmt::format("not committed in {}: {}", where.string(), listed(lost)));
  }
  TRY(git.set_index(where, move.to.str()));
  const auto now = TRY(swap());
  if (!now) return std::nullopt;
  if (move.with_files) TRY(git.follow(where, move.to.str(), *now));
  TRY(git.set_index(where, *now));
  return std::nullopt;
}

Result<role::Command> make_branch(RoleLoop& loop, const role::MakeBranch& effect) {
  UserRepository& git = loop.git();
  const role::BranchWanted& wanted = effect.branch;
  const Path& top = loop.paths().repository.top;
  if (!wanted.from.empty() && TRY(git.ref(ref_of(wanted.name))) == wanted.from.str())
    TRY(git.set_ref(ref_of(wanted.name), wanted.at.str(), wanted.from.str()));
  for (const std::string& name : {wanted.base, wanted.name})
    if (!name.empty() && !TRY(git.ref(ref_of(name))))
      if (auto made = git.set_ref(ref_of(name), wanted.at.str(), ""); !made)
        return role::ReportBranch{wanted.name, made.error().why};
  const Path elsewhere = TRY(git.checkout_with(wanted.name));
  if (!elsewhere.empty() && elsewhere != top)
    return role::ReportBranch{
        wanted.name, fmt::format("it is checked out in {}", printable(elsewhere.string()))};
  const auto tip = TRY(git.ref(ref_of(wanted.name)));
  const CommitId at = TRY(git.head());
  if (!wanted.files.empty() && !TRY(git.ref(wanted.files)))
    return role::ReportBranch{
        wanted.name, fmt::format("the ref {} is gone, which keeps its files", wanted.files)};
  const std::string& files = wanted.files.empty() ? *tip : wanted.files;
  if (files != at.str()) {
    const auto lost = TRY(git.follow(top, at.str(), files));
    if (!lost.empty())
      return role::ReportBranch{wanted.name,
                                fmt::format("not committed: {}", clip(join(lost, ", "), 400))};
    TRY(git.set_index(top, *tip));
  }
  TRY(check_out(git, top, wanted.name, *tip));
  return role::ReportBranch{wanted.name};
}

}  // namespace pf
