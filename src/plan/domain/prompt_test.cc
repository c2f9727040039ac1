#include "plan/domain/prompt.h"

#include "plan/domain/testing.h"

namespace pf::plan {
namespace {

using namespace testing;

const Sources kSources{"docs/login/plan.md", "docs/login/intent.md", "docs/login/spec.md"};

std::string prompt(const Plan& p) {
  const auto plan = document::read_plan(p.plan_text);
  const Run& run = *p.state.current();
  return prompt_for(p.state, run, *plan->step(run.step), kSources);
}

const std::string kPlan =
    "## Step 1: Parse\n\nRead the file.\n\n- Acceptance:\n  - empty files are fine\n\n"
    "## Step 2: Print\n\nWrite it.\n";

TEST_CASE(
    "step 3, tests: coder prompt contains current step and intent/spec refs and resets per step") {
  Policy policy = test_policy();
  policy.check = "just pre-merge";
  Plan p = Plan::opened(policy, kPlan);
  const std::string first = prompt(p);
  CHECK(first.contains("You are the coder"));
  CHECK(first.contains("## Step 1: Parse"));
  CHECK(first.contains("Acceptance criteria:\n- empty files are fine\n"));
  CHECK(first.contains("Intent: docs/login/intent.md"));
  CHECK(first.contains("Specification: docs/login/spec.md"));
  CHECK(first.contains("`just pre-merge`"));
  CHECK(first.contains("encouraged, not forced"));
  CHECK(first.contains("request_review"));
  CHECK_FALSE(first.contains("request_changes"));
  CHECK_FALSE(first.contains("Step 2"));
  p.request_review(), p.request_changes("handle CRLF"), p.request_review(), p.approve();
  CHECK_FALSE(p.state.current()->continues);
  const std::string second = prompt(p);
  CHECK(second.contains("## Step 2: Print"));
  CHECK_FALSE(second.contains("handle CRLF"));
  CHECK(second.contains("- Step 1 Parse: approved (1 change request)"));
}

TEST_CASE("step 3, tests: reviewer retains short history") {
  Plan p = Plan::opened(test_policy(), kPlan);
  p.request_review("parsed"), p.request_changes("handle CRLF");
  p.request_review("CRLF too");
  const std::string again = prompt(p);
  CHECK(again.contains("You are the reviewer"));
  CHECK(again.contains("- Step 1: changes requested: handle CRLF"));
  CHECK(again.contains("## The coder says\n\n> CRLF too"));
  p.approve(), p.request_review();
  const std::string later = prompt(p);
  CHECK(later.contains("handle CRLF"));
  CHECK(later.contains("- Step 1: approved"));
  CHECK(later.contains("## Step 2: Print"));
  CHECK(later.contains("You cannot write files"));
}

TEST_CASE("the reviewer's history is trimmed to its newest part") {
  Policy policy = test_policy();
  policy.max_change_requests = 1000;
  Plan p = Plan::opened(policy, kPlan);
  for (int i = 0; i < 50; ++i)
    p.request_review(), p.request_changes(fmt::format("request {} {}", i, std::string(900, 'x')));
  p.request_review();
  const std::string text = prompt(p);
  CHECK(text.size() < kMaxHistory + kMaxStepText);
  CHECK(text.contains("request 49 "));
  CHECK_FALSE(text.contains("request 20 "));
  CHECK(text.contains("earlier entries left out"));
}

TEST_CASE("a coder that goes on hears what is new, and no more") {
  Plan p = Plan::opened(test_policy(), kPlan);
  p.request_review(), p.request_changes("handle CRLF\nand LF");
  CHECK(p.state.current()->continues);
  const std::string text = prompt(p);
  CHECK(text.contains("## The reviewer requests changes\n\n> handle CRLF\n> and LF\n"));
  CHECK_FALSE(text.contains("Read the file."));
  CHECK(text.contains("How to end"));
}

TEST_CASE("on resume the user's answer is told") {
  Plan p = Plan::opened(test_policy(), kPlan);
  p.ask_user("which port?");
  p.orchestrator(ReportRunParked{1, p.state.halt->id});
  p.settle();
  p.reply("8080\x1b[0m");
  const std::string both = "> which port?\n\n## The user answers\n\n> 8080<U+001B>[0m\n";
  CHECK(prompt(p).contains("## You asked the user\n\n" + both));
  Run afresh = *p.state.current();
  afresh.continues = false;
  CHECK(prompt_for(p.state, afresh, {"1", "t", "b", {}, 1}, {})
            .contains("## On this step the user was asked\n\n" + both));
}

TEST_CASE("a run that was sent back, interrupted or faces broken files is told so") {
  Plan p = Plan::opened(test_policy(), kPlan);
  p.end_run();
  CHECK(prompt(p).contains("ended without a tool call"));
  p.human(Pause{}), p.settle(), p.human(Resume{}), p.settle();
  CHECK(prompt(p).contains(p.state.current()->continues
                               ? "You were interrupted: go on where you were"
                               : "An earlier run on this step was interrupted"));
  p.orchestrator(CheckDocuments{});
  p.spec_text = "no title\n";
  p.orchestrator(CheckDocuments{});
  CHECK(prompt(p).contains("## Mend these files first\n\n- spec.md line 1: there is no title"));
}

TEST_CASE("the explainer is told what to write") {
  Policy policy = test_policy();
  policy.explain = kCodex;
  Plan p = Plan::opened(policy, plan_of(1));
  p.request_review(), p.approve();
  CHECK(prompt(p).contains("explained.md"));
  CHECK_FALSE(prompt(p).contains("How to end"));
}

TEST_CASE("a huge step is clipped") {
  Plan p = Plan::opened(test_policy(), "## Step 1: big\n\n" + std::string(200'000, 'x') + "\n");
  CHECK(prompt(p).size() < 2 * kMaxStepText);
}

}  // namespace
}  // namespace pf::plan
