// What is approved comes home: intent, what the world says of it, completion.
#include "plan/domain/testing.h"
#include "plan/domain/views.h"

namespace pf::plan {
namespace {

using namespace testing;

void approve_step(Plan& p, const std::string& work) {
  p.work = work;
  p.request_review("done: " + work);
  p.approve();
}

Plan approved(int steps, Policy policy = test_policy()) {
  Plan p = Plan::opened(std::move(policy), plan_of(steps));
  for (int step = 1; step <= steps; ++step) approve_step(p, fmt::format("work {}", step));
  return p;
}

std::string refusal(const Done& done) {
  CHECK(done.exit() == 1);
  return done.exit() == 1 ? done.rejection->error.what : "";
}

TEST_CASE("a verdict keeps the tree that the reviewer approved, and where the plan began") {
  Plan p = approved(2);
  CHECK(p.state.branch == "main");
  CHECK(p.state.base == CommitId("c0"));
  REQUIRE(p.state.verdicts.size() == 2);
  CHECK(p.state.verdicts[0].step == "1");
  CHECK(p.state.verdicts[0].title == "part 1");
  CHECK(p.state.verdicts[0].by == kCodex);
  CHECK(p.state.verdicts[0].tree != p.state.verdicts[1].tree);
  CHECK(can_land(p.state));
}

TEST_CASE("a step that is reviewed again has one verdict, the newest") {
  Plan p = approved(2);
  p.human(Force{Role::reviewer, "look again"}), p.settle();
  p.work = "other";
  p.approve();
  REQUIRE(p.state.verdicts.size() == 2);
  CHECK(p.state.verdicts.back().step == "2");
}

TEST_CASE("landing: the intent names the commits, the completion ends the plan") {
  Plan p = approved(2);
  CHECK(p.human(Land{}).ok());
  REQUIRE(p.state.landing);
  CHECK(p.state.landing->from == CommitId("c0"));
  CHECK(p.state.landing->commits.size() == 2);
  CHECK(p.state.landing->to == p.state.landing->commits.back().commit);
  CHECK(p.human(Land{}).events.empty());  // goes on
  p.settle();
  CHECK_FALSE(p.state.landing);
  CHECK(p.state.phase == Phase::done);
  CHECK_FALSE(can_land(p.state));
  CHECK(refusal(p.human(Land{})) == "everything that is approved has landed");
}

TEST_CASE("landing is refused with its reason") {
  Plan none = Plan::opened();
  CHECK(refusal(none.human(Land{})) == "an agent is at work");
  none.human(Pause{}), none.settle();
  CHECK(refusal(none.human(Land{})) == "no step is approved yet");

  Plan open = Plan::opened(test_policy(), plan_of(2));
  approve_step(open, "one");
  open.human(Pause{}), open.settle();
  const Done steps = open.human(Land{});
  CHECK(refusal(steps) == "steps are open");
  CHECK(steps.rejection->error.why == "2");
  CHECK(steps.rejection->error.fix.find("--so-far") != std::string::npos);
  CHECK(open.human(Land{false, true}).ok());
  open.settle();
  CHECK(where(open.state).starts_with("awaiting_user_input(paused)"));
  open.human(Resume{}), open.settle();
  approve_step(open, "two");
  CHECK(open.human(Land{}).ok());  // the rest, on what landed before
  CHECK(open.state.landing->from == open.state.landed);
  CHECK(open.state.landing->commits.size() == 1);

  Plan p = approved(1);
  CHECK(refusal(p.human(Land{false, false, TreeId("another")})) ==
        "that is not what was approved last");
  p.tip = CommitId("elsewhere");
  CHECK(refusal(p.human(Land{})) == "the branch main was moved");
  p.tip.reset();
  p.checked_out = "other";
  CHECK(refusal(p.human(Land{})) == "main is not checked out");
  p.checked_out = "main";
  p.overlap = {"README.md"};
  const Done overlap = p.human(Land{});
  CHECK(refusal(overlap) == "these files held changes of yours when the plan began");
  CHECK(overlap.rejection->error.why == "README.md");
  p.overlap.clear();
  p.staged = {"a.txt"};
  CHECK(refusal(p.human(Land{})) == "these files are staged otherwise than they were approved");
  p.staged.clear();
  CHECK(p.human(Land{}).ok());
}

TEST_CASE("a step without a snapshot: all steps as one commit, unless it is the last one") {
  Plan p = approved(2);
  p.state.verdicts[0].tree = {};
  const Done first = p.human(Land{});
  CHECK(refusal(first) == "step 1 has no snapshot");
  CHECK(first.rejection->error.fix.find("--one") != std::string::npos);
  CHECK(p.human(Land{true}).ok());
  Plan last = approved(2);
  last.state.verdicts[1].tree = {};
  CHECK(refusal(last.human(Land{true})) == "step 2 has no snapshot");
}

TEST_CASE("a landing that cannot be carried out is given up and can be asked for again") {
  Plan p = approved(1);
  p.human(Land{});
  p.orchestrator(AbandonLanding{"the branch main was moved"});
  CHECK_FALSE(p.state.landing);
  CHECK(p.state.landed.empty());
  CHECK(p.human(Land{}).ok());
}

TEST_CASE("what landed on the plan's own branch is merged as the tree that was checked") {
  Policy policy = test_policy();
  policy.workspace = Workspace::worktree;
  Plan p = approved(1, policy);
  CHECK(refusal(p.human(Merge{})) == "nothing has landed that could be merged");
  p.human(Land{}), p.settle();
  CHECK(refusal(p.human(Merge{})) == "the merge with main has not been checked");
  p.merging.conflicts = {"a.txt"};
  CHECK(refusal(p.human(Merge{TreeId("merged")})) == "the plan conflicts with main");
  p.merging.conflicts.clear();
  p.merging.dirty = {"b.txt"};
  CHECK(refusal(p.human(Merge{TreeId("merged")})) ==
        "main is checked out with uncommitted changes");
  p.merging.dirty.clear();
  CHECK(p.human(Merge{TreeId("merged")}).ok());
  REQUIRE(p.state.merge);
  CHECK(p.state.merge->tree == TreeId("merged"));
  p.settle();
  CHECK(p.state.merged == CommitId("m2"));
  Plan repo = approved(1);
  repo.human(Land{}), repo.settle();
  CHECK(refusal(repo.human(Merge{TreeId("merged")})) == "the plan landed on your branch itself");
}

TEST_CASE("what the roles delegated is theirs to land") {
  Plan p;
  p.plan_text = plan_of(1);
  p.human(Open{test_policy(), "", true}), p.settle();
  approve_step(p, "x");
  CHECK(refusal(p.human(Land{})) == "the roles land what this plan does");
  CHECK_FALSE(can_land(p.state));
}

}  // namespace
}  // namespace pf::plan
