#pragma once
#include "plan/host/loop.h"

namespace pf {

// Who asks for the user's own checkout.
struct PlanClaimant {
  plan::FeatureId feature;
  bool delegated = false;  // by the roles: what they hold is its too
};
struct RolesClaimant {};  // plans that they delegate to are theirs

// The other loop that works in the user's own checkout, or is parked in it; by their journals. One
// that is damaged counts while somebody drives it. Asked while the repository is locked, so that
// the answer holds until what follows from it is recorded.
Result<ClaimFact> claim_on_checkout(Os& os, const Repository& repository,
                                    const PlanClaimant& asking);
Result<ClaimFact> claim_on_checkout(Os& os, const Repository& repository,
                                    const RolesClaimant& asking);

}  // namespace pf
