// How it works. Each verdict has the tree that its reviewer approved. In a worktree those trees are
// committed as they are, on the plan's own branch. In the user's own checkout they also hold what
// was not committed when the plan began: those paths are put back to what the first commit has, so
// that only the plan's changes land; where it changed such a path too nobody can tell them apart.
#include "plan/host/landing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error_text.h"
#include "base/text.h"
#include "git/changed_tree.h"
#include "git/changes.h"
#include "git/following.h"
#include "plan/host/driver.h"

namespace pf {
namespace {

using plan::Verdict;
using Paths = std::set<std::string>;

Git objects_of(PlanLoop& loop) {
  return Git(loop.os(), {.git_dir = loop.paths().repository.common});
}

UserCheckout users_checkout(const PlanPaths& paths) {
  return {paths.repository.top, paths.repository.common, Path(paths.index) += ".land"};
}

Result<Paths> paths_between(PlanLoop& loop, const std::string& from, const std::string& to) {
  Paths paths;
  for (RawChange& change : TRY(raw_changes(objects_of(loop), from, to)))
    paths.insert(std::move(change.path));
  return paths;
}

// What was not committed in the checkout when the plan began, its own documents aside.
Result<Paths> foreign_paths(PlanLoop& loop, const plan::State& state) {
  if (state.policy.workspace != plan::Workspace::repo) return Paths{};
  Paths paths = TRY(paths_between(loop, state.base.str(), state.first_tree.str()));
  const std::string documents = loop.paths().documents.string() + "/";
  std::erase_if(paths, [&](const std::string& path) { return path.starts_with(documents); });
  return paths;
}

// The last word that somebody in that role had on the step.
std::string last_note(const plan::State& state, plan::Note::Kind kind, const std::string& step) {
  for (auto note = state.notes.rbegin(); note != state.notes.rend(); ++note)
    if (note->kind == kind && note->step == step) return note->text;
  return {};
}

std::string subject(const std::string& title, const std::string& otherwise) {
  const std::string text = printable(title);
  return clip(trim(text).empty() ? otherwise : std::string(trim(text)), 72);
}

std::string paragraph(const std::string& text) {
  const std::string shown = printable_lines(text);
  return trim(shown).empty() ? "" : fmt::format("\n{}\n", trim(shown));
}

std::string message_of(const plan::State& state, const Verdict& verdict) {
  return fmt::format("{}\n{}{}\nPlan: {}, step {}\nReviewed-by: {}\n",
                     subject(verdict.title, "Step " + printable(verdict.step)),
                     paragraph(last_note(state, plan::Note::Kind::review, verdict.step)),
                     paragraph(verdict.note), state.feature.str(), printable(verdict.step),
                     verdict.by.str());
}

std::string message_of_all(const plan::State& state, const std::vector<const Verdict*>& verdicts) {
  std::string text = fmt::format("Plan {}\n\n", state.feature.str());
  for (const Verdict* verdict : verdicts)
    text += fmt::format("- {}\n", subject(verdict->title, "step " + printable(verdict->step)));
  return text + fmt::format("\nPlan: {}\nReviewed-by: {}\n", state.feature.str(),
                            verdicts.back()->by.str());
}

// One commit for each verdict, or one for all, each on the one before.
Status make_commits(PlanLoop& loop, const plan::State& state, const plan::Land& land,
                    const std::vector<const Verdict*>& verdicts, const Paths& foreign,
                    LandingFact& fact) {
  const PlanPaths& paths = loop.paths();
  CommitId parent = *fact.tip;
  for (const Verdict* verdict : verdicts) {
    if (land.one && verdict != verdicts.back()) continue;
    const TreeId tree =
        TRY(tree_with_paths_of(loop.os(), paths.repository, Path(paths.index) += ".land",
                               verdict->tree.str(), state.base.str(), foreign));
    parent = TRY(loop.workspace(state.base)
                     .make_commit({tree, parent,
                                   land.one ? message_of_all(state, verdicts)
                                            : message_of(state, *verdict)}));
    fact.commits.push_back({verdict->step, parent, tree});
  }
  return {};
}

Result<std::optional<CommitId>> tip_of(PlanLoop& loop, const std::string& branch) {
  const auto tip = TRY(loop.git().ref(ref_of_branch(branch)));
  return tip ? std::optional(CommitId(*tip)) : std::nullopt;
}

// Documents in the user's checkout that are as the plan took them from there when it began.
Result<std::vector<std::pair<std::string, std::string>>> documents_as_taken(
    PlanLoop& loop, const plan::State& state) {
  std::vector<std::pair<std::string, std::string>> taken;
  const PlanPaths& paths = loop.paths();
  Files& files = loop.os().files;
  for (const Entry& entry : TRY(files.list(paths.repository.top / paths.documents))) {
    if (entry.kind != FileKind::file) continue;
    const std::string path = (paths.documents / entry.name).string();
    const auto first = TRY(loop.git().file_of(state.first_tree.str(), path));
    const auto now = TRY(files.read_if_there(paths.repository.top / path));
    if (first && now && *first == *now) taken.emplace_back(path, *now);
  }
  return taken;
}

// They become those that land, so that they are in nobody's way.
Status bring_documents(PlanLoop& loop, const plan::State& state, const TreeId& tree) {
  const Path& top = loop.paths().repository.top;
  TRY(loop.tidy_documents(top));
  for (const auto& [path, text] : TRY(documents_as_taken(loop, state))) {
    const auto wanted = TRY(loop.git().file_of(tree.str(), path));
    if (wanted && *wanted != text)
      TRY(loop.os().files.replace_unchanged(top / path, text, *wanted, Durable::yes));
  }
  return {};
}

plan::Command given_up(std::string why) { return plan::AbandonLanding{std::move(why)}; }

// The index first: who is killed in between leaves the branch where it was.
Result<plan::Command> land_in_checkout(PlanLoop& loop, const plan::LandingPrepared& landing) {
  UserRepository& git = loop.git();
  const UserCheckout checkout = users_checkout(loop.paths());
  const std::string ref = ref_of_branch(landing.branch);
  const auto at = TRY(git.ref(ref));
  if (at == landing.to.str()) return plan::ReportLanded{landing.to};
  if (TRY(git.branch()) != landing.branch)
    return given_up(fmt::format("{} is not checked out any more", landing.branch));
  if (at != landing.from.str())
    return given_up(fmt::format("the branch {} was moved", landing.branch));
  const auto staged =
      TRY(staged_in_the_way(loop.os(), checkout, {landing.from.str(), landing.to.str()}));
  if (!staged.empty())
    return given_up(fmt::format("these files are staged otherwise: {}", join(staged, ", ")));
  TRY(move_index(loop.os(), checkout, {landing.from.str(), landing.to.str()}));
  const auto moved = git.set_ref(ref, landing.to.str(), landing.from.str());
  if (moved) return plan::ReportLanded{landing.to};
  const auto now = TRY(git.ref(ref));
  if (now == landing.to.str()) return plan::ReportLanded{landing.to};
  if (!now || now == landing.from.str()) return std::unexpected(moved.error());
  TRY(move_index(loop.os(), checkout, {landing.to.str(), *now}));
  return given_up(fmt::format("the branch {} was moved", landing.branch));
}

}  // namespace

Result<LandingFact> look_at_landing(PlanLoop& loop, const plan::State& state,
                                    const plan::Land& land) {
  const bool here = state.policy.workspace == plan::Workspace::repo;
  LandingFact fact;
  fact.branch = here ? state.branch : loop.paths().branch();
  fact.checked_out = TRY(loop.git().branch());
  if (fact.branch.empty()) return fact;
  fact.tip = TRY(tip_of(loop, fact.branch));
  if (fact.tip != (state.landed.empty() ? state.base : state.landed)) return fact;
  if (here && fact.checked_out != fact.branch) return fact;
  std::vector<const Verdict*> verdicts;
  for (const Verdict& verdict : state.verdicts)
    if (verdict.seq > state.landed_to) verdicts.push_back(&verdict);
  const Paths foreign = TRY(foreign_paths(loop, state));
  Paths overlap;
  for (const Verdict* verdict : verdicts)
    if (!foreign.empty() && !verdict->tree.empty())
      for (const std::string& path :
           TRY(paths_between(loop, state.first_tree.str(), verdict->tree.str())))
        if (foreign.contains(path)) overlap.insert(path);
  for (const std::string& path : overlap) fact.overlap.push_back(shown_path(path));
  if (!overlap.empty()) return fact;
  TRY(make_commits(loop, state, land, verdicts, foreign, fact));
  if (here && !fact.commits.empty())
    fact.staged = TRY(staged_in_the_way(loop.os(), users_checkout(loop.paths()),
                                        {fact.tip->str(), fact.commits.back().commit.str()}));
  return fact;
}

Result<MergeFact> look_at_merge(PlanLoop& loop, const plan::State& state) {
  MergeFact fact = TRY(loop.workspace(state.base).look_at_merge(state.landed, state.branch));
  if (fact.dirty.empty() || fact.checkout != loop.paths().repository.top) return fact;
  const auto taken = TRY(documents_as_taken(loop, state));
  std::erase_if(fact.dirty, [&](const std::string& path) {
    return std::ranges::any_of(taken, [&](const auto& one) { return one.first == path; });
  });
  return fact;
}

Result<plan::Command> land_commits(PlanLoop& loop, const plan::LandingPrepared& landing) {
  if (landing.branch != loop.paths().branch()) return land_in_checkout(loop, landing);
  Workspace workspace = loop.workspace(landing.from);
  const auto moved = workspace.move_branch(landing.to, landing.from);
  if (!moved && moved.error().exit != Exit::refused) return std::unexpected(moved.error());
  if (!moved) return given_up(in_short(moved.error()));
  if (TRY(workspace.exists())) TRY(workspace.refresh_index());
  return plan::ReportLanded{landing.to};
}

// Looks first: an earlier try may have merged and not come to say so.
Result<plan::Command> merge_home(PlanLoop& loop, const plan::State& state,
                                 const plan::MergePrepared& merge) {
  Workspace workspace = loop.workspace(state.base);
  auto fact = look_at_merge(loop, state);
  if (!fact && fact.error().exit != Exit::refused) return std::unexpected(fact.error());
  if (fact && fact->contains) return plan::ReportMerged{fact->base};
  if (!fact || !fact->dirty.empty() || !fact->conflicts.empty() || fact->tree != merge.tree)
    return plan::AbandonMerge{fact ? fmt::format("{} has changed meanwhile", merge.branch)
                                   : fact.error().what};
  if (fact->checkout == loop.paths().repository.top) TRY(bring_documents(loop, state, merge.tree));
  const auto merged = workspace.merge(state.landed, merge.branch, *fact);
  if (merged) return plan::ReportMerged{*merged};
  if (merged.error().exit != Exit::refused) return std::unexpected(merged.error());
  if (fact = look_at_merge(loop, state); fact && fact->contains)
    return plan::ReportMerged{fact->base};
  return plan::AbandonMerge{in_short(merged.error())};
}

Status settle_landing(PlanLoop& loop) {
  constexpr Duration kLongest = std::chrono::minutes(2);
  Os& os = loop.os();
  TRY(end_deaf(os, plan_driver(loop.paths())));
  const MonoTime deadline = os.clock.mono() + kLongest;
  auto bell = TRY(os.files.listen(loop.paths().bells));
  for (;;) {
    bell->silence();
    const plan::State seen = TRY(loop.load());
    if (!seen.landing && !seen.merge) return {};
    if (const auto lease = TRY(Lock::try_take(os, loop.paths().lease))) {
      const plan::State state = TRY(loop.load_durable());
      if (state.landing) TRY(loop.report(TRY(land_commits(loop, *state.landing))));
      if (state.merge) TRY(loop.report(TRY(merge_home(loop, state, *state.merge))));
      continue;
    }
    if (os.clock.mono() > deadline)
      return fail(
          Exit::machine, "it is recorded but the driver has not carried it out", "",
          fmt::format("look at {}, then run the same command again", loop.paths().errors.string()));
    bell->wait(std::chrono::seconds(1));  // also notices a driver that died meanwhile
  }
}

}  // namespace pf
