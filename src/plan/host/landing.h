#pragma once
#include "plan/host/loop.h"

namespace pf {

// What bringing the approved steps home would come to; the commits are made as objects unless
// something is in the way.
Result<LandingFact> look_at_landing(PlanLoop& loop, const plan::State& state,
                                    const plan::Land& land);
// What a merge of what landed into the branch that the plan began at would meet. Documents of the
// user's that are as the plan took them from there are not in its way.
Result<MergeFact> look_at_merge(PlanLoop& loop, const plan::State& state);

// Moves the branch as the intent says, and in the user's own checkout the index with it; files are
// not touched. What came of it. Goes on where it was cut off.
Result<plan::Command> land_commits(PlanLoop& loop, const plan::LandingPrepared& landing);
// Merges exactly the tree that was decided on, or gives it up.
Result<plan::Command> merge_home(PlanLoop& loop, const plan::State& state,
                                 const plan::MergePrepared& merge);

// Carries both out, or waits for the driver to do so.
Status settle_landing(PlanLoop& loop);

// Runs the configured checks on a tree; what failed, with its log's end, or "".
Result<std::string> check_landing(PlanLoop& loop, const TreeId& tree);

}  // namespace pf
