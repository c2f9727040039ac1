#pragma once
#include "bubble/host/loop.h"

// The files that a delivered line and `turn` send an agent to; projections.
namespace pf {

// artifacts/round-NNN.diff of the tree under review; nothing when nobody reviews.
Status write_round_diff(BubbleLoop& loop, const bubble::State& state);

// All that `delivery` refers to is there: a message's file is made again when it is missing, the
// active reviewer's diff is that of the tree it is to review.
Status arrange_agent_files(BubbleLoop& loop, const bubble::State& state, const AgentName& agent,
                           const bubble::Delivery& delivery);

}  // namespace pf
