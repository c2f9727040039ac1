#pragma once
#include "bubble/domain/state.h"

// What our own runs of the checks say about a tree. A result counts for one tree and one profile.
namespace pf::bubble {

// Of what is run, wherever it comes from.
Hash profile_hash(const Profile& profile);
// The last result for the tree by the profile in force; null when there is none.
const EvidenceSeen* evidence_for(const State& state, const TreeId& tree);

enum class EvidenceStanding { not_needed, awaited, green, red, waived, void_ };
PF_NAMES_AS(EvidenceStanding, (not_needed, "not available"), (awaited, "running"), (green, "green"),
            (red, "red"), (waived, "red, waived by you"), (void_, "void"));
// Of the tree under review.
EvidenceStanding evidence_standing(const State& state);

// The checks are to be run on the tree under review: nobody has, a run was void, or the human asked
// for another one. Not while the implementer is at work on it.
bool wants_checks(const State& state);

}  // namespace pf::bubble
