#include "plan/domain/deciders.h"

// How what is approved comes home. The commits are made before anything is decided; the intent
// names them, and who performs moves the branch from where the plan knows it.
namespace pf::plan {
namespace {

constexpr std::size_t kPathsNamed = 10;

std::vector<const Verdict*> unlanded(const State& state) {
  std::vector<const Verdict*> verdicts;
  for (const Verdict& verdict : state.verdicts)
    if (verdict.seq > state.landed_to) verdicts.push_back(&verdict);
  return verdicts;
}

std::string open_steps(const State& state) {
  std::vector<std::string> open;
  for (const StepState& step : state.steps)
    if (step.status != StepStatus::done) open.push_back(printable(step.id));
  return name_some(open, kPathsNamed);
}

std::optional<Rejection> not_ready(const State& state, const Land& land) {
  if (is_active(state.phase) || state.live() != nullptr)
    return refuse("an agent is at work", fmt::format("the plan is {}", state.phase),
                  fmt::format("pairflow plan pause {}, or wait for it", state.feature));
  if (state.delegated)
    return refuse("the roles land what this plan does", "they delegated it",
                  "see: pairflow role status");
  const auto verdicts = unlanded(state);
  if (verdicts.empty())
    return refuse(
        state.landed.empty() ? "no step is approved yet" : "everything that is approved has landed",
        state.landed.empty() ? "" : fmt::format("as {}", state.landed),
        fmt::format("see: pairflow plan status {}", state.feature));
  if (const std::string open = open_steps(state); !open.empty() && !land.so_far)
    return refuse("steps are open", open,
                  fmt::format("finish them, or land what is approved: pairflow plan land {} "
                              "--so-far",
                              state.feature));
  if (state.base.empty() || state.first_tree.empty())
    return refuse("it is not known where the plan began",
                  "its log is of an earlier version, or the repository had no commit then",
                  "commit the files yourself");
  for (const Verdict* verdict : verdicts)
    if (verdict->tree.empty() && (!land.one || verdict == verdicts.back()))
      return refuse(fmt::format("step {} has no snapshot", printable(verdict->step)),
                    verdict->untaken.empty() ? "it was approved by an earlier version"
                                             : printable(verdict->untaken),
                    verdict == verdicts.back()
                        ? "commit the files yourself"
                        : fmt::format("land all steps as one commit: pairflow plan land {} --one",
                                      state.feature));
  if (!land.tree.empty() && land.tree != verdicts.back()->tree)
    return refuse("that is not what was approved last",
                  fmt::format("step {} was approved as {}", printable(verdicts.back()->step),
                              verdicts.back()->tree),
                  fmt::format("look at it: pairflow plan diff {}", state.feature));
  return std::nullopt;
}

std::optional<Rejection> in_the_way(const State& state, const LandingFact& fact) {
  const CommitId& known = state.landed.empty() ? state.base : state.landed;
  const bool here = state.policy.workspace == Workspace::repo;
  const std::string branch = printable(fact.branch);
  if (here && state.branch.empty())
    return refuse("no branch was checked out when the plan began", "",
                  "check one out and commit the files yourself");
  if (here && fact.checked_out != state.branch)
    return refuse(fmt::format("{} is not checked out", branch),
                  fact.checked_out.empty() ? "HEAD is detached"
                                           : fmt::format("{} is", printable(fact.checked_out)),
                  fmt::format("git checkout {}, then run this again", branch));
  if (fact.tip != known)
    return refuse(fmt::format("the branch {} was moved", branch),
                  fact.tip ? fmt::format("it is at {}, the plan knows it at {}", *fact.tip, known)
                           : "it is gone",
                  fmt::format("put it back: git branch -f {0} {1}, or commit the files yourself; "
                              "git log {1}..{0} shows what was added",
                              branch, known));
  if (!fact.overlap.empty())
    return refuse("these files held changes of yours when the plan began",
                  name_some(fact.overlap, kPathsNamed),
                  "nobody can tell them from the plan's: commit these files yourself");
  if (!fact.staged.empty())
    return refuse("these files are staged otherwise than they were approved",
                  name_some(fact.staged, kPathsNamed),
                  "git restore --staged <path>, then run this again");
  return std::nullopt;
}

}  // namespace

Outcome handle(const Asking& asking, const Land& land) {
  const State& state = asking.state;
  if (state.landing) return nothing();  // goes on where it stopped
  if (auto rejection = not_ready(state, land)) return *rejection;
  if (!asking.facts.landing) return need(Need::landing);
  const LandingFact& fact = *asking.facts.landing;
  if (auto rejection = in_the_way(state, fact)) return *rejection;
  const Verdict& last = *unlanded(state).back();
  if (fact.commits.empty() || fact.commits.back().step != last.step)
    return refuse("the plan has moved on since this was looked at", "", "run this again");
  LandingPrepared prepared{fact.branch, *fact.tip, fact.commits.back().commit, fact.commits,
                           last.seq};
  return std::vector{make_event(asking, "orchestrator", std::move(prepared))};
}

// A plan that has landed whole is finished.
Outcome handle(const Asking& asking, const ReportLanded& landed) {
  const State& state = asking.state;
  if (!state.landing || state.landing->to != landed.commit) return nothing();
  std::vector events{own_event(asking, "human", Landed{state.landing->branch, landed.commit})};
  if (state.halt && state.halt->kind == HaltKind::no_pending_steps) {
    Event end = own_event(asking, "both", Finished{});
    end.then = Standing{Phase::done, state.step, state.run};
    events.push_back(std::move(end));
  }
  return events;
}

Outcome handle(const Asking& asking, const AbandonLanding& abandon) {
  if (!asking.state.landing) return nothing();
  return std::vector{own_event(asking, "human", LandingAbandoned{abandon.reason})};
}

// `green` is judged by the command that merges, which ran the checks on exactly that tree.
Outcome handle(const Asking& asking, const Merge& merge) {
  const State& state = asking.state;
  const std::string again = fmt::format("pairflow plan land {}", state.feature);
  if (state.merge) return nothing();
  if (state.landed.empty() || state.landing)
    return refuse("nothing has landed that could be merged", "", again);
  if (state.policy.workspace == Workspace::repo)
    return refuse("the plan landed on your branch itself", "", "there is nothing to merge");
  if (state.branch.empty())
    return refuse("no branch was checked out when the plan began", "",
                  fmt::format("merge it where you want it: git merge plan/{}", state.feature));
  if (!asking.facts.merge) return need(Need::merge);
  const MergeFact& fact = *asking.facts.merge;
  const std::string base = printable(state.branch);
  if (fact.contains)
    return std::vector{own_event(asking, "human", Merged{state.branch, fact.base})};
  if (!fact.dirty.empty())
    return refuse(
        fmt::format("{} is checked out with uncommitted changes", base),
        fmt::format("in {}: {}", printable(fact.checkout), name_some(fact.dirty, kPathsNamed)),
        "commit or stash them there, then run the same command again");
  if (!fact.conflicts.empty())
    return refuse(fmt::format("the plan conflicts with {}", base),
                  name_some(fact.conflicts, kPathsNamed),
                  fmt::format("merge it by hand: git merge plan/{}", state.feature));
  if (merge.unchecked.empty() && merge.green != fact.tree)
    return refuse(fmt::format("the merge with {} has not been checked", base),
                  fmt::format("{} has moved to {} since", base, fact.base),
                  "run the same command again");
  return std::vector{make_event(
      asking, "orchestrator", MergePrepared{state.branch, fact.base, fact.tree, merge.unchecked})};
}

Outcome handle(const Asking& asking, const ReportMerged& merged) {
  if (!asking.state.merge) return nothing();
  return std::vector{own_event(asking, "human", Merged{asking.state.merge->branch, merged.commit})};
}

Outcome handle(const Asking& asking, const AbandonMerge& abandon) {
  if (!asking.state.merge) return nothing();
  return std::vector{own_event(asking, "human", MergeAbandoned{abandon.reason})};
}

}  // namespace pf::plan
