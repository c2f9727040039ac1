#pragma once
#include "journal/journal.h"

// One verify and repair for the loops of all kinds.
namespace pf {

// What is to be verified. `understand` is given every line and must make sense of it; a copy of it
// begins anew.
struct Verifiable {
  LoopFiles files;
  EachLine understand;
  Path lease = {};  // "": repaired under the door alone
};

struct Repaired {
  Health health;
  std::vector<std::string> done;  // what was wrong and is not any more
};

// Understands what folds into the state of the decider D.
template <class D>
EachLine folding() {
  return [state = typename D::State{}](Line&& line) mutable -> Status {
    state = TRY(fold(std::move(state), line));
    return {};
  };
}

// Reads the whole journal and asks the door's head and the snapshot for its last line; no lock,
// changes nothing. Damage and a newer format are errors of Exit::damaged; a doubt is not.
Result<Health> examine(Os& os, const Verifiable& loop);

// Settles a doubt and moves a torn tail aside. Refuses before anything is touched: what examine
// refuses, a lease that somebody holds, a journal that cannot be written.
Result<Repaired> repair(Os& os, const Verifiable& loop);

}  // namespace pf
