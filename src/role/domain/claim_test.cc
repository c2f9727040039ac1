// One claim per checkout: the roles have it while somebody works for them, or their work is parked.
#include "role/domain/testing.h"

namespace pf::role {
namespace {

using namespace testing;

Repo initialized() {
  Repo r;
  r.human(Init{test_policy()}), r.settle();
  return r;
}

TEST_CASE("the roles do not begin in a checkout that a plan has") {
  Repo r = initialized();
  CHECK_FALSE(holds_checkout(r.state));
  r.claimed = {"plan login works", "pairflow plan release login"};
  const Done run = r.human(Automate{"run-1"});
  CHECK(run.exit() == 1);
  CHECK(run.rejection->error.what == "plan login works in this checkout");
  CHECK(run.rejection->error.fix.find("pairflow plan release login") != std::string::npos);
  CHECK(r.human(Start{}).exit() == 1);
  r.claimed = {};
  CHECK(r.human(Automate{"run-1"}).ok());
  CHECK(holds_checkout(r.state));
}

TEST_CASE("resting roles are released, and take the checkout back with the next run") {
  Repo r = initialized();
  r.human(Start{});
  CHECK(holds_checkout(r.state));
  CHECK(r.human(Release{}).ok());
  CHECK_FALSE(holds_checkout(r.state));
  CHECK(r.human(Release{}).events.empty());
  r.human(Automate{"run-1"});
  CHECK(holds_checkout(r.state));
  CHECK(r.human(Release{}).exit() == 1);
}

}  // namespace
}  // namespace pf::role
