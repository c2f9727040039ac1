// One claim per checkout: who works in it, or is parked in it, has it.
#include "plan/domain/testing.h"

namespace pf::plan {
namespace {

using namespace testing;

const ClaimFact kOther{"plan other works", "pairflow plan release other"};

TEST_CASE("a plan cannot be opened in a checkout that another loop has") {
  Plan p;
  p.claimed = kOther;
  const Done done = p.human(Open{test_policy()});
  CHECK(done.exit() == 1);
  CHECK(done.rejection->error.what == "plan other works in this checkout");
  CHECK(done.rejection->error.fix.find("--worktree") != std::string::npos);
  CHECK(done.rejection->error.fix.find("pairflow plan release other") != std::string::npos);
  CHECK(p.state.phase == Phase::none);
  Policy apart = test_policy();
  apart.workspace = Workspace::worktree;
  CHECK(p.human(Open{apart}).ok());
  CHECK_FALSE(holds_checkout(p.state));
}

TEST_CASE("an open plan holds the checkout until it is done, parked or not") {
  Plan p = Plan::opened(test_policy(), plan_of(1));
  CHECK(holds_checkout(p.state));
  p.human(Pause{}), p.settle();
  CHECK(holds_checkout(p.state));
  p.human(Resume{}), p.settle();
  p.request_review(), p.approve();
  CHECK(where(p.state) == "awaiting_user_input(no_pending_steps) 1 #0");
  CHECK(holds_checkout(p.state));
  p.reply();
  CHECK(p.state.phase == Phase::done);
  CHECK_FALSE(holds_checkout(p.state));
}

TEST_CASE("a parked plan is released, and gets the checkout back only while nobody else has it") {
  Plan p = Plan::opened();
  CHECK(p.human(Release{}).exit() == 1);  // at work
  p.human(Pause{}), p.settle();
  CHECK(p.human(Release{}).ok());
  CHECK_FALSE(holds_checkout(p.state));
  CHECK(p.human(Release{}).events.empty());
  p.claimed = kOther;
  for (const Command& command : {Command(Resume{}), Command(Reply{"go on"}),
                                 Command(Force{Role::reviewer}), Command(Reset{})}) {
    CAPTURE(verb_of(command));
    const Done done = p.human(command);
    CHECK(done.exit() == 1);
    CHECK(done.rejection->error.what == "plan other works in this checkout");
  }
  CHECK(where(p.state) == "awaiting_user_input(paused) 1 #0");
  p.claimed = {};
  CHECK(p.human(Resume{}).ok());
  CHECK(holds_checkout(p.state));
}

TEST_CASE(
    "a run that waits for an answer ends with the release; the answer finds its conversation") {
  Plan p = Plan::opened();
  p.ask_user("which?");
  const MessageId question = p.state.halt->id;
  CHECK(p.human(Release{}).ok());
  CHECK(holds_checkout(p.state));  // its process is there
  p.settle();
  CHECK_FALSE(holds_checkout(p.state));
  CHECK(p.state.halt->id == question);
  p.reply("the blue one");
  CHECK(where(p.state) == "coder_active 1 #2");
  CHECK(p.state.current()->continues);
}

}  // namespace
}  // namespace pf::plan
