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
template <class T>
void keep_last(std::vector<T>& all, std::size_t most, T item) {
  if (all.size() == most) all.erase(all.begin());
  all.push_back(std::move(item));
}

}  // namespace pf
