#pragma once
#include "bubble/host/loop.h"

namespace pf {

// Reviewers look at a checkout of exactly the tree under review, which only we write, between their
// turns. One for both of a bubble's agents; its directory stays the same one as long as the bubble
// lives, since running agents have it mounted.

// Brings it to the tree under review, or to what the implementer begins with.
Status show_tree(BubbleLoop& loop, const bubble::State& state);
// The same for an agent that has it before it already.
Status show_next_tree(BubbleLoop& loop, const bubble::State& state);
// The tree that it holds; nothing where it is not there, or half made.
Result<std::optional<TreeId>> shown_tree(Os& os, const BubblePaths& paths);
// An empty directory for the agent to build in.
Status make_build_place(Os& os, const BubblePaths& paths, const AgentName& agent);
// Removes all of it.
Status remove_review(Os& os, const BubblePaths& paths);

}  // namespace pf
