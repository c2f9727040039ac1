#pragma once
#include "bubble/host/loop.h"

namespace pf {

// A repository that is not where it was when the bubble was created: its worktree belongs to the
// old place.
struct MovedRepository {
  std::string bubble;
  Path worktree, was, is;
  std::string in_words() const;  // what happened, and what mends it
  std::string command() const;   // which moves it back
};
// Nothing when it is in its place, or the bubble is finished.
std::optional<MovedRepository> moved_repository(const BubblePaths& paths,
                                                const bubble::State& state);
// What waits for the human, with that first.
std::vector<bubble::InboxItem> inbox_with_moved(const BubblePaths& paths,
                                                const bubble::State& state);

}  // namespace pf
