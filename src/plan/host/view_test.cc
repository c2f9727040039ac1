#include "plan/host/view.h"

#include <doctest/doctest.h>

#include "plan/domain/testing.h"

namespace pf {
namespace {

using plan::StepStatus;
using plan::testing::Plan;

PlanView seen(const Plan& plan) {
  const auto document = document::read_plan(plan.plan_text);
  REQUIRE(document);
  return plan_view(plan.state, document->steps);
}

constexpr auto kPlan =
    "---\nactive_step: \"1\"\n---\n# Login\n"
    "## Step 1: Parse\n\n- Acceptance:\n  - empty fields are refused\n  - names may be long\n"
    "## Step 2: Print\n";

}  // namespace

TEST_CASE("the view of a plan: turn, step, guard, steps with their criteria") {
  Plan plan = Plan::opened(plan::testing::test_policy(), kPlan);
  plan.request_review();
  PlanView view = seen(plan);
  CHECK(view.feature == "login");
  CHECK(view.phase == plan::Phase::reviewer_active);
  CHECK(view.turn == "reviewer_active · codex");
  CHECK(view.since == plan.state.since);
  plan.request_changes();
  view = seen(plan);
  CHECK(view.turn == "coder_active · claude");
  CHECK(view.step == "step 1 of 2: Parse (needs-changes)");
  CHECK(view.guard == "change requests 1 of 3");
  REQUIRE(view.steps.size() == 2);
  CHECK(view.steps[0].active);
  CHECK(view.steps[0].change_requests == 1);
  CHECK(view.steps[0].status == StepStatus::needs_changes);
  CHECK(view.steps[0].acceptance ==
        std::vector<std::string>{"empty fields are refused", "names may be long"});
  CHECK(view.steps[1].title == "Print");
  CHECK(!view.steps[1].active);
  CHECK(!view.question);
  CHECK(view.problems.empty());
}

TEST_CASE("what the user is asked, and by whom") {
  Plan plan = Plan::opened();
  plan.ask_user("Which\ndatabase?\x1b[2J");
  const auto asked = seen(plan).question;
  REQUIRE(asked);
  CHECK(asked->kind == plan::HaltKind::asked);
  CHECK(asked->who == "coder");
  CHECK(asked->text == "Which\ndatabase?<U+001B>[2J");
  CHECK(asked->id == plan.state.halt->id.str());
}

TEST_CASE("parked by the loop guard") {
  Plan plan = Plan::opened();
  for (int i = 0; i < 4; ++i) plan.request_review(), plan.request_changes();
  const PlanView view = seen(plan);
  CHECK(view.parked);
  REQUIRE(view.question);
  CHECK(view.question->kind == plan::HaltKind::guard);
  CHECK(view.question->who == "pairflow");
}

TEST_CASE("nothing that people and agents wrote reaches a terminal as it is") {
  plan::State state;
  state.phase = plan::Phase::coder_active;
  state.step = "1\x1b[m";
  state.steps = {{"1\x1b[m", "a\u202e\x07title\n漢字", StepStatus::pending, 0}};
  state.problems = {{"plan.md", {}, {{3, "bad \x1b]0;x\x07 key", "drop it"}}}};
  const PlanView view = plan_view(state, {{"1\x1b[m", "", "", {"be\xff quick\x1b[1m"}, 1}});
  CHECK(view.steps[0].id == "1<U+001B>[m");
  CHECK(view.steps[0].title == "a<U+202E><U+0007>title 漢字");
  CHECK(view.steps[0].acceptance == std::vector<std::string>{"be<0xFF> quick<U+001B>[1m"});
  CHECK(view.problems ==
        std::vector<std::string>{"plan.md line 3: bad <U+001B>]0;x<U+0007> key; drop it"});
}

TEST_CASE("before the log there is the document; without both nothing") {
  const PlanView view = plan_view({}, {{"1", "Parse", "", {"works"}, 1}});
  REQUIRE(view.steps.size() == 1);
  CHECK(view.steps[0].title == "Parse");
  CHECK(view.steps[0].acceptance.size() == 1);
  CHECK(plan_view({}, {}).steps.empty());
}

}  // namespace pf
