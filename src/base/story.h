#pragma once
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"

namespace pf {

// One line of what happened, for people.
struct Action {
  Seq seq = Seq::none;
  std::string ts, text;
  PF_FIELDS(PF_ALWAYS(seq, ts, text));
};

// Only the last `most` are kept.
inline void tell(std::vector<Action>& story, std::size_t most, Action action) {
  if (story.size() == most) story.erase(story.begin());
  story.push_back(std::move(action));
}

}  // namespace pf
