#include <algorithm>

#include "bubble/domain/deciders.h"
#include "bubble/domain/evidence.h"

namespace pf::bubble {

std::optional<Rejection> refused_while_committing(const State& state) {
  if (!state.commit) return std::nullopt;
  return refuse("a commit is under way", fmt::format("commit {} is prepared", state.commit->commit),
                fmt::format("finish it: pairflow bubble commit --id {}", state.id));
}

namespace {

std::optional<Rejection> refused_by_checks(const State& state) {
  const EvidenceStanding checks = evidence_standing(state);
  if (checks != EvidenceStanding::red && checks != EvidenceStanding::awaited &&
      checks != EvidenceStanding::later && checks != EvidenceStanding::void_ &&
      checks != EvidenceStanding::unable)
    return std::nullopt;
  return Rejection{
      {Exit::refused,
       checks == EvidenceStanding::unable ? "the checks could not run on this tree"
                                          : fmt::format("the checks are {} on this tree", checks),
       "",
       fmt::format("see: pairflow bubble evidence --id {0} [--rerun]; or: pairflow bubble "
                   "request-rework --id {0} --message \"…\"",
                   state.id)},
      "checks"};
}

Outcome other_tree(const State& state, const TreeId& wanted, const TreeFact& seen,
                   std::string_view word) {
  return Rejection{
      {Exit::refused, fmt::format("the worktree is not the {} tree", word),
       fmt::format("{} was {}, it is {} now{}", wanted, word, seen.tree, differing(seen)),
       fmt::format("see what differs: pairflow bubble diff --id {} --since-converged; restore it, "
                   "or: pairflow bubble request-rework --id {} --message \"…\"",
                   state.id, state.id)},
      "other_tree"};
}

// The human's own checks are gone through one by one.
std::optional<Rejection> unchecked(const State& state, const std::vector<std::string>& items,
                                   const std::vector<std::size_t>& checked) {
  std::string open;
  for (std::size_t place = 1; place <= items.size(); ++place)
    if (!contains(checked, place))
      open += fmt::format("\n{}. {}", place, printable(items[place - 1]));
  for (const std::size_t place : checked)
    if (place > items.size())
      return Rejection{{Exit::usage, fmt::format("there is no manual check {}", place),
                        fmt::format("the profile has {}", items.size()), ""}};
  if (open.empty()) return std::nullopt;
  return Rejection{{Exit::refused, "manual checks are not confirmed:" + open, "",
                    fmt::format("go through them, then: pairflow bubble approve --id {} (on a "
                                "terminal it asks; off one add --checked N for each)",
                                state.id)},
                   "unchecked"};
}

}  // namespace

// Rows 31, 32 and 34.
Outcome handle(const Asking& asking, const Approve& approve) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase != Phase::ready && state.phase != Phase::approved)
    return refuse("there is nothing to approve yet", fmt::format("the bubble is {}", state.phase),
                  fmt::format("see: pairflow bubble status --id {}", state.id));
  if (auto rejection = refused_while_syncing(state)) return *rejection;
  if (approve.tree && approve.tree != state.converged_tree)
    return refuse("that is not the converged tree",
                  fmt::format("the agents converged on {}", *state.converged_tree),
                  "look at it again, then approve that one");
  if (lacks_tree(asking.facts, true)) return need(Need::cold_tree);
  if (asking.facts.tree->tree != *state.converged_tree)
    return other_tree(state, *state.converged_tree, *asking.facts.tree, "converged");
  if (state.phase == Phase::approved)
    return refuse("already approved", "", fmt::format("pairflow bubble commit --id {}", state.id));
  if (auto rejection = refused_by_checks(state)) return *rejection;
  const auto items = manual_items(state.policy.profile.manual_checks);
  if (auto rejection = unchecked(state, items, approve.checked)) return *rejection;
  Event event = make_event(asking, "orchestrator",
                           Decided{Approval::approve, *state.converged_tree, "", items});
  event.then = without_agent(state, Phase::approved);
  return std::vector{std::move(event)};
}

// Row 33.
Outcome handle(const Asking& asking, const Rework& rework) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase != Phase::ready && state.phase != Phase::approved)
    return refuse("there is nothing to rework", fmt::format("the bubble is {}", state.phase),
                  "while the agents work use: pairflow bubble replan");
  if (auto rejection = refused_while_committing(state)) return *rejection;
  if (auto rejection = refused_while_syncing(state)) return *rejection;
  for (const Reported& reported : rework.findings)
    if (!reported.repeat.empty() && state.finding(reported.repeat) == nullptr)
      return refuse(fmt::format("there is no finding {}", reported.repeat), "",
                    fmt::format("see: pairflow bubble findings --id {}", state.id));
  if (lacks_tree(asking.facts, false)) return need(Need::tree);
  // What the writer left behind what was reviewed is not handed over by this.
  const bool apart = std::ranges::any_of(state.agents, &Agent::apart);
  Event event =
      make_event(asking, state.roles.implementer,
                 Decided{rework.reject ? Approval::reject : Approval::revise,
                         apart ? *state.converged_tree : asking.facts.tree->tree, rework.message});
  event.ledger = human_findings(state.findings, rework.message, rework.findings, state.round + 1);
  event.clears = true;
  return std::vector{handed(state, std::move(event), new_allowance(state))};
}

// Rows 35 to 38: the intent only; the ref is moved by the holder of the lease.
Outcome handle(const Asking& asking, const Commit& commit) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase == Phase::committed || state.commit) return nothing();
  if (state.phase != Phase::approved)
    return refuse(
        "a commit needs your approval first", fmt::format("the bubble is {}", state.phase),
        state.phase == Phase::ready ? fmt::format("pairflow bubble approve --id {}", state.id)
                                    : fmt::format("see: pairflow bubble status --id {}", state.id));
  if (auto rejection = refused_while_syncing(state)) return *rejection;
  if (lacks_tree(asking.facts, true)) return need(Need::cold_tree);
  const TreeFact& tree = *asking.facts.tree;
  if (tree.tree != *state.approved_tree)
    return other_tree(state, *state.approved_tree, tree, "approved");
  if (auto rejection = refused_by_checks(state)) return *rejection;
  if (tree.tip != state.place.base_commit && !commit.squash)
    return refuse(
        fmt::format("somebody committed on {}", state.place.bubble_branch),
        fmt::format("its tip is {} instead of the base {}", tree.tip, state.place.base_commit),
        "commit --squash makes one commit of the approved tree and keeps the old tip as a "
        "salvage ref; or request-rework");
  const auto outside = out_of_scope(state.policy, tree.changed);
  if (!outside.empty() && commit.override_scope.empty())
    return refuse("files are out of scope: " + printable(join(outside, ", ")),
                  "[scope] does not allow them",
                  "commit --override-scope \"<reason>\" records your reason; or request-rework");
  if (!asking.facts.commit) return need(Need::commit);
  CommitPrepared prepared;
  prepared.commit = *asking.facts.commit;
  prepared.old_tip = tree.tip;
  prepared.tree = tree.tree;
  prepared.message = commit.message;
  prepared.scope_override = outside.empty() ? "" : commit.override_scope;
  prepared.squash = tree.tip != state.place.base_commit;
  prepared.hooks = commit.hooks;
  return std::vector{make_event(asking, "orchestrator", std::move(prepared))};
}

// Rows 39, 40 and 42.
Outcome handle(const Asking& asking, const Stop& stop) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase == Phase::committed)
    return refuse("already committed", "",
                  fmt::format("finish it: pairflow bubble commit --id {}", state.id));
  if (auto rejection = refused_while_committing(state)) return *rejection;
  Event event = make_event(asking, "both", Cancelled{stop.reason});
  event.then = without_agent(state, Phase::cancelled);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const ReportMoved&) {
  const State& state = asking.state;
  if (!state.commit || state.phase != Phase::approved) return nothing();
  Event event = own_event(asking, "human", Committed{state.commit->commit});
  event.then = without_agent(state, Phase::committed);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const AbandonCommit& abandon) {
  if (!asking.state.commit || asking.state.phase != Phase::approved) return nothing();
  return std::vector{own_event(asking, "human", CommitAbandoned{abandon.reason})};
}

Outcome handle(const Asking& asking, const ReportPackage& package) {
  const State& state = asking.state;
  if (state.phase != Phase::committed || !state.commit) return nothing();
  constexpr std::size_t kFilesNamed = 2000;
  Packaged packaged;
  packaged.commit = state.commit->commit;
  packaged.tree = state.commit->tree;
  packaged.branch = state.place.bubble_branch;
  packaged.message = state.commit->message;
  constexpr std::size_t kBytesNamed = 256u << 10;  // a line of the journal holds 1 MiB
  std::size_t bytes = 0;
  for (const ChangedFile& file : package.files)
    if (packaged.files.size() < kFilesNamed && (bytes += file.path.size()) < kBytesNamed)
      packaged.files.push_back(file);
  packaged.head = asking.facts.head;
  Event event = own_event(asking, "human", std::move(packaged));
  event.then = without_agent(state, Phase::done);
  return std::vector{std::move(event)};
}

}  // namespace pf::bubble
