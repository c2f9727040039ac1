#include <algorithm>

#include "bubble/domain/deciders.h"

namespace pf::bubble {
namespace {

constexpr std::size_t kConflictsKept = 500;  // in a line of the journal

bool can_sync(Phase phase) {
  return phase == Phase::running || phase == Phase::waiting || phase == Phase::ready ||
         phase == Phase::approved;
}

BaseMove move_of(const State& state, const SyncFact& fact) {
  BaseMove move;
  move.branch = state.place.base_branch;
  move.base = state.place.base_commit;
  move.onto = fact.onto;
  move.onto_tree = fact.onto_tree;
  move.tip = fact.tip;
  move.files = fact.files;
  move.merged = fact.merged;
  move.handed = fact.target;
  move.commits = fact.commits;
  move.conflicts = fact.conflicts;
  if (move.conflicts.size() > kConflictsKept) move.conflicts.resize(kConflictsKept);
  if (state.changes) move.changes = stats_of(fact.changed);
  if (state.changes) move.out_of_scope = out_of_scope(state.policy, fact.changed);
  return move;
}

// Whether the files as they are then can be reviewed: they were handed over, and merged cleanly.
bool goes_to_review(const State& state) {
  return state.sync->conflicts.empty() && state.conflicts.empty() && state.target &&
         state.active_role != Role::implementer;
}

std::vector<std::string> to_resolve(const State& state) {
  std::vector<std::string> paths = state.conflicts;
  for (const std::string& path : state.sync->conflicts)
    if (!contains(paths, path) && paths.size() < kConflictsKept) paths.push_back(path);
  return paths;
}

}  // namespace

std::optional<Rejection> refused_while_syncing(const State& state) {
  if (!state.sync) return std::nullopt;
  return refuse("the base branch is being brought in",
                fmt::format("the worktree goes on top of {}", state.sync->onto),
                fmt::format("finish it: pairflow bubble sync --id {}", state.id));
}

// Of the human, who wants the base in it: a green run does not settle it, the reviewers do.
std::vector<Finding> conflict_findings(const Ledger& ledger, const std::string& branch,
                                       const std::vector<std::string>& paths, int round) {
  constexpr std::size_t kNamed = 6, kTitle = 280;
  Reported reported;
  reported.severity = Severity::p1;
  reported.title = clip(
      fmt::format("Conflicts with {}: {}", printable(branch), printable(name_some(paths, kNamed))),
      kTitle);
  if (paths.size() == 1) reported.path = paths.front();
  return human_findings(ledger, "", {reported}, round);
}

// Row 48: the intent only; the holder of the lease changes files and branch.
Outcome handle(const Asking& asking, const Sync&) {
  const State& state = asking.state;
  const std::string base = printable(state.place.base_branch);
  if (state.phase == Phase::done)
    return refuse(fmt::format("bubble {} is {}", state.id, state.phase),
                  "its commit is made and does not change",
                  fmt::format("merge it: pairflow bubble merge --id {0}; or go on with it on "
                              "today's {1}: pairflow bubble continue --id {0}",
                              state.id, base));
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (!can_sync(state.phase))
    return refuse("there is nothing to bring the base into",
                  fmt::format("the bubble is {}", state.phase),
                  fmt::format("see: pairflow bubble status --id {}", state.id));
  if (auto rejection = refused_while_committing(state)) return *rejection;
  if (state.sync) return nothing();  // goes on where it stopped
  if (!asking.facts.sync) return need(Need::sync);
  const SyncFact& fact = *asking.facts.sync;
  if (fact.commits == 0)
    return refuse(
        fmt::format("{} has nothing new", base),
        fmt::format("it is at {}, the bubble begins at {}", fact.onto, state.place.base_commit),
        "");
  return std::vector{make_event(asking, "both", SyncPrepared{move_of(state, fact)})};
}

// A new round: nothing that was judged counts, findings stay.
Outcome handle(const Asking& asking, const ReportSynced&) {
  const State& state = asking.state;
  if (!state.sync || !can_sync(state.phase)) return nothing();
  std::vector<Event> events;
  for (const Question& question : state.questions) {
    Replied replied;
    replied.superseded = true;
    replied.question = question.id;
    events.push_back(own_event(asking, "both", std::move(replied)));
  }
  const bool review = goes_to_review(state);
  Standing then = new_allowance(state);
  if (review) {
    then.active_role = Role::reviewer;
    then.active_agent = then.roles.reviewer;
  }
  Synced synced{*state.sync, review ? state.sync->merged : state.sync->handed, to_resolve(state)};
  std::vector<Finding> changed;
  if (!state.sync->conflicts.empty())
    changed =
        conflict_findings(state.findings, state.sync->branch, state.sync->conflicts, then.round);
  if (synced.target)
    changed =
        merged(std::move(changed),
               evidence_of_new_target(state, merged(state.findings, changed), *synced.target));
  Event event = handed(state, own_event(asking, *then.active_agent, std::move(synced)), then);
  // Its checkout changes: what it has read so far is not what it is to judge.
  if (review && state.reviews_apart() && state.active_agent == then.active_agent)
    event.relaunch = event.afresh = event.tell;
  event.round = then.round;
  event.ledger = std::move(changed);
  event.clears = true;
  events.push_back(std::move(event));
  return events;
}

Outcome handle(const Asking& asking, const AbandonSync& abandon) {
  if (!asking.state.sync) return nothing();
  return std::vector{own_event(asking, "human", SyncAbandoned{abandon.reason})};
}

}  // namespace pf::bubble
