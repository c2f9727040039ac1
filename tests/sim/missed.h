#pragma once
#include "fiber.h"
#include "tally.h"

namespace pf::sim {

// Takes each kind of effect out of the roles' performer, one after the other: all that this
// simulation comes to are missed. How many are not.
int run_missed(Stacks& stacks, Tally& tally);

}  // namespace pf::sim
