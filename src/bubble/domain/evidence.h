#pragma once
#include "bubble/domain/state.h"

// What our own runs of the checks say about a tree. A result counts for one tree and one profile.
namespace pf::bubble {

// Of what is run, wherever it comes from.
Hash profile_hash(const Profile& profile);
// The last result for the tree by the profile in force; null when there is none.
const EvidenceSeen* evidence_for(const State& state, const TreeId& tree);

enum class EvidenceStanding { not_needed, awaited, later, green, red, waived, void_, unable };
PF_NAMES_AS(EvidenceStanding, (not_needed, "not available"), (awaited, "running"),
            (later, "not run yet"), (green, "green"), (red, "red"), (waived, "red, waived by you"),
            (void_, "void"), (unable, "unable"));
// Of the tree under review. What one model has passed is green by a run from empty only.
EvidenceStanding evidence_standing(const State& state);

// What is known of the tree that a merge would make. A tree that was approved itself, or a profile
// without checks, needs no run.
enum class MergeStanding { fine, unjudged, red, unable };
MergeStanding merge_standing(const State& state, const TreeId& result);

// Checks that were red and then green on the tree under review, which counts as green.
std::vector<std::string> flaky_checks(const State& state);

// The checks are to be run on the tree under review: nobody has, a run was void or unable and the
// human is not asked about it, he asked for another one, or one model has passed the tree and the
// run from empty is still to come. Not while the implementer is at work on it.
bool wants_checks(const State& state);

// The tree under review is green, and that rests on a checkout in which other trees were checked
// before: it is still to be checked from an empty one.
bool awaits_cold(const State& state);

// A run of the checks that is due.
struct DueRun {
  TreeId tree;
  bool cold = false;  // is to begin in an empty checkout
  friend bool operator==(const DueRun&, const DueRun&) = default;
};
// On the base once for each profile, then on the tree under review when it wants checks.
std::optional<DueRun> due_run(const State& state);
// What the human gives to drop these checks. A question that was asked by an older program names
// none.
std::string drop_command(const BubbleId& id, const std::vector<std::string>& checks);
// The checks could not run, on the base or on the tree under review, and nobody has asked since.
bool checks_are_unable(const State& state);

}  // namespace pf::bubble
