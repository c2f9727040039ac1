// The role loop fits the one door.
#include <doctest/doctest.h>

#include "role/host/loop.h"

namespace pf {

static_assert(Domain<role::Domain>);
template class Engine<role::Domain>;

TEST_CASE("the decider asks for its facts and refuses before the roles begin") {
  const Request human{RequestId("r"), {PrincipalKind::human}};
  const auto needs = role::decide({}, human, role::Init{}, {});
  CHECK(std::get<std::vector<Need>>(needs) == std::vector{Need::documents, Need::time});
  CHECK(std::holds_alternative<Rejection>(role::decide({}, human, role::Start{}, {})));
}

}  // namespace pf
