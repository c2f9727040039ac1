#include "bubble/domain/evidence.h"

#include "base/codec.h"
#include "base/hash.h"

namespace pf::bubble {

Hash profile_hash(const Profile& profile) {
  Profile counts = profile;
  counts.dropped.clear();
  for (Check& check : counts.checks) check.from.clear();
  return hash_of(dump(codec::encode(counts)));
}

const EvidenceSeen* evidence_for(const State& state, const TreeId& tree) {
  const Hash profile = profile_hash(state.policy.profile);
  for (const EvidenceSeen& seen : state.evidence)
    if (seen.tree == tree && seen.profile == profile) return &seen;
  return nullptr;
}

EvidenceStanding evidence_standing(const State& state) {
  const EvidenceSeen* seen = state.target ? evidence_for(state, *state.target) : nullptr;
  if (seen != nullptr && seen->status == EvidenceStatus::red && state.rerun < seen->seq)
    return seen->waived ? EvidenceStanding::waived : EvidenceStanding::red;
  if (state.policy.profile.checks.empty()) return EvidenceStanding::not_needed;
  if (seen == nullptr || state.rerun > seen->seq) return EvidenceStanding::awaited;
  switch (seen->status) {
    case EvidenceStatus::green: return EvidenceStanding::green;
    case EvidenceStatus::red:
    case EvidenceStatus::not_available: return EvidenceStanding::not_needed;
    case EvidenceStatus::void_: break;
  }
  return EvidenceStanding::void_;
}

bool wants_checks(const State& state) {
  if (!state.target || state.policy.profile.checks.empty()) return false;
  const bool asked = state.phase == Phase::ready || state.phase == Phase::approved;
  const bool reviewed = (state.phase == Phase::running || state.phase == Phase::waiting) &&
                        state.active_role == Role::reviewer;
  if (!asked && !reviewed) return false;
  const EvidenceSeen* seen = evidence_for(state, *state.target);
  if (seen == nullptr || state.rerun > seen->seq) return true;
  constexpr int kVoidRuns = 2;  // then the human is asked
  return seen->status == EvidenceStatus::void_ && seen->voids < kVoidRuns;
}

}  // namespace pf::bubble
