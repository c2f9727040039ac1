#pragma once
#include <optional>
#include <vector>

#include "base/find.h"
#include "base/hash.h"

namespace pf {

// A change of a file that people edit too, decided and still to be made: by hash, so that an edit
// in between is seen.
struct DueWrite {
  Hash before, after;  // before "": there was no file
  // What writes that were decided before may put there meanwhile: their writers may be at it.
  std::vector<Hash> ours = {};

  bool is_made() const { return before == after && ours.empty(); }
  bool may_meet(const Hash& hash) const { return hash == before || is_late(hash); }
  bool is_late(const Hash& hash) const { return contains(ours, hash); }
  void follows(const DueWrite& earlier) {
    ours = earlier.ours;
    for (const Hash& hash : {earlier.before, earlier.after})
      if (!may_meet(hash)) ours.push_back(hash);
  }
};

// What a loop knows of its register, a file that people edit too: as it was last taken in or
// written, and what is to be written. A file that was read before this changed says nothing of an
// edit.
template <class Write>
Hash known_of(const Hash& taken_in, const std::optional<Write>& write) {
  std::string known = taken_in.str();
  if (write) known += write->before.str() + write->after.str();
  return hash_of(known);
}

}  // namespace pf
