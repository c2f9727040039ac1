#include "bubble/domain/deciders.h"
#include "bubble/domain/evidence.h"

namespace pf::bubble {
namespace {

// How the change goes on when it cannot be merged as it is.
std::string way_on(const State& state) {
  return fmt::format("let the agents go on with it: pairflow bubble continue --id {}", state.id);
}

// What lands is what was checked.
std::optional<Rejection> not_judged_green(const State& state, const MergeFact& fact) {
  const std::string base = printable(state.place.base_branch);
  const std::string merged = fmt::format("the merge of {} with {}", state.id, base);
  const std::string unchecked = fmt::format(
      "or merge it as it is: pairflow bubble merge --id {} --unchecked \"<reason>\"", state.id);
  const EvidenceSeen* seen = evidence_for(state, fact.tree);
  const std::string log = seen == nullptr || seen->log.empty()
                              ? ""
                              : fmt::format("; the log is artifacts/{}", seen->log);
  switch (merge_standing(state, fact.tree)) {
    case MergeStanding::fine: return std::nullopt;
    case MergeStanding::red:
      return refuse(fmt::format("the checks are red on {}", merged),
                    fmt::format("{} has moved to {} since{}", base, fact.base, log),
                    fmt::format("{}; {}", way_on(state), unchecked));
    case MergeStanding::unable:
      return refuse(
          fmt::format("the checks could not run on {}", merged),
          fmt::format("that says nothing about {}{}", fact.tree, log),
          fmt::format("mend what kept them, then run the same command again; {}", unchecked));
    case MergeStanding::unjudged: break;
  }
  return refuse(fmt::format("{} has not been checked", merged),
                fmt::format("{} has moved to {} since", base, fact.base),
                "run the same command again");
}

}  // namespace

// The intent only; the holder of the lease merges. A finished bubble's one command.
Outcome handle(const Asking& asking, const Merge& merge) {
  const State& state = asking.state;
  const std::string& base = state.place.base_branch;
  if (state.phase != Phase::done)
    return refuse("there is nothing to merge yet", fmt::format("the bubble is {}", state.phase),
                  fmt::format("see: pairflow bubble status --id {}", state.id));
  if (state.merge) return nothing();  // goes on where it stopped
  if (!asking.facts.merge) return need(Need::merge);
  const MergeFact& fact = *asking.facts.merge;
  if (fact.contains)
    return refuse(fmt::format("{} has this change already", printable(base)),
                  fmt::format("it is at {}", fact.base), "");
  if (!fact.dirty.empty())
    return refuse(
        fmt::format("{} is checked out with uncommitted changes", printable(base)),
        fmt::format("in {}: {}", printable(fact.checkout), name_some(fact.dirty, kPathsNamed)),
        "commit or stash them there, then run the same command again");
  if (!fact.conflicts.empty())
    return refuse(fmt::format("the change conflicts with {}", printable(base)),
                  name_some(fact.conflicts, kPathsNamed),
                  fmt::format("{}; or merge it by hand: git merge {}", way_on(state),
                              state.place.bubble_branch));
  const auto rejection = not_judged_green(state, fact);
  if (rejection && merge.unchecked.empty()) return *rejection;
  MergePrepared prepared{base, fact.checkout, fact.base, fact.tree};
  if (rejection) prepared.unchecked = merge.unchecked;
  return std::vector{make_event(asking, "orchestrator", std::move(prepared))};
}

Outcome handle(const Asking& asking, const ReportMerged& merged) {
  if (!asking.state.merge) return nothing();
  return std::vector{own_event(asking, "human", Merged{merged.commit})};
}

Outcome handle(const Asking& asking, const AbandonMerge& abandon) {
  if (!asking.state.merge) return nothing();
  return std::vector{own_event(asking, "human", MergeAbandoned{abandon.reason})};
}

}  // namespace pf::bubble
