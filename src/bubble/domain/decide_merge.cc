#include "bubble/domain/deciders.h"

namespace pf::bubble {

// The intent only; the holder of the lease merges. A finished bubble's one command.
Outcome handle(const Asking& asking, const Merge&) {
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
                  fmt::format("merge it by hand: git merge {}; or create a bubble from today's {}",
                              state.place.bubble_branch, printable(base)));
  return std::vector{
      make_event(asking, "orchestrator", MergePrepared{base, fact.checkout, fact.base})};
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
