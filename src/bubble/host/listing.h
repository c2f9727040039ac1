#pragma once
#include "bubble/host/loop.h"

namespace pf {

struct ListedBubble {
  BubbleId id;
  Result<bubble::State> state;  // or why it cannot be read
};
// Every bubble of the repository; a damaged one is shown as such and hides no other.
Result<std::vector<ListedBubble>> all_bubbles(Os& os, const Repository& repository);

}  // namespace pf
