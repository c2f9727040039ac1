#include "loop/settle.h"

namespace pf {

Status settle(const std::function<Result<bool>()>& step) {
  constexpr int kMost = 500;  // a landing of the roles takes some twenty
  for (int steps = 0; steps < kMost; ++steps)
    if (!TRY(step())) return {};
  return fail(Exit::machine, "what is to be done does not come to rest",
              "it changes each time it is looked at",
              "this is a bug in pairflow: see the loop's log");
}

}  // namespace pf
