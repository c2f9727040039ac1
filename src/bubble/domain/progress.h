#pragma once
#include "base/fields.h"
#include "bubble/domain/ledger.h"

// The convergence meter: what each round's review found anew, found again and found fixed.
namespace pf::bubble {

struct Counts {
  int p0 = 0, p1 = 0, p2 = 0, p3 = 0;
  int total() const { return p0 + p1 + p2 + p3; }
  void add(Severity severity);
  friend bool operator==(const Counts&, const Counts&) = default;
  PF_FIELDS(v("P0", self.p0), v("P1", self.p1), v("P2", self.p2), v("P3", self.p3));
};

struct Progress {
  Counts fresh, repeated, fixed;
  Counts open;  // afterwards
  friend bool operator==(const Progress&, const Progress&) = default;
  PF_FIELDS(v.always("new", self.fresh), PF_ALWAYS(repeated, fixed, open));
};

// Of one round.
struct RoundProgress {
  int round = 0;
  std::optional<ChangeStats> churn;  // what the implementer changed; none: the same tree again
  std::optional<Progress> review;    // none: not reviewed yet
  PF_FIELDS(PF_ALWAYS(round), PF_IF_SET(churn, review));
};

// What a review that made `outcome` of the ledger `before` says.
Progress progress_of(const Ledger& before, const ReviewOutcome& outcome);

// The last two reviews, the newest being `now`, left no fewer findings open than the one before.
bool is_plateau(const std::vector<RoundProgress>& rounds, const Progress& now);

// "1 P1, 2 P3"; "" for none.
std::string in_words(const Counts& counts);
// "new 1 P1 · repeated 2 P2 · fixed 1 P0 · +12 −3"
std::string in_words(const RoundProgress& round);

}  // namespace pf::bubble
