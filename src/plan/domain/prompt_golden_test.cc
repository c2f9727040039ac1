// Every kind of prompt, as tests/golden/prompts has it.
#include <fstream>
#include <sstream>

#include "plan/domain/prompt.h"
#include "plan/domain/testing.h"
#include "plan/domain/user_notes.h"

namespace pf::plan {
namespace {

using namespace testing;

constexpr std::string_view kLogin =
    "---\nactive_step: 1\n---\n# Login\n\n## Step 1: Parse the form\n\nName and password.\n\n"
    "- Acceptance:\n  - empty fields are refused\n\n## Step 2: Check the password\n";

Plan opened_login() {
  Policy policy = test_policy();
  policy.check = "just pre-merge";
  return Plan::opened(policy, std::string(kLogin));
}

// As the run that has the turn is told; `afresh`: its program knows no older conversation.
std::string told(const Plan& p, bool afresh = false) {
  Run run = *p.state.current();
  if (afresh) run.continues = false;
  const auto plan = document::read_plan(p.plan_text);
  Sources sources{"docs/login/plan.md", "docs/login/intent.md", "docs/login/spec.md"};
  if (run.role == Role::reviewer) sources.build = "/tmp/pairflow-build";
  return prompt_for(p.state, run, *plan->step(run.step), sources);
}

std::string golden_prompt(const std::string& name) {
  std::ifstream file(fmt::format("{}/tests/golden/prompts/plan-{}.md", PAIRFLOW_SOURCE_DIR, name));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The user answers after the run that asked has ended.
void ask_and_answer(Plan& p, const std::string& question, const std::string& answer) {
  p.ask_user(question);
  p.orchestrator(ReportRunParked{p.state.run, p.state.halt->id});
  p.settle(), p.reply(answer);
}

}  // namespace

TEST_CASE("golden: what the coder is told on a step") {
  Plan p = opened_login();
  CHECK(told(p) == golden_prompt("coder-first"));
  ask_and_answer(p, "Which port?", "8080,\nas always");
  CHECK(told(p) == golden_prompt("coder-answer"));
  CHECK(told(p, true) == golden_prompt("coder-answer-new-conversation"));
  p.request_review("parsed"), p.request_changes("CRLF is not handled:\nform.cc:12");
  CHECK(told(p) == golden_prompt("coder-changes"));
  CHECK(told(p, true) == golden_prompt("coder-changes-new-conversation"));
  p.human(Pause{}), p.settle(), p.human(Resume{}), p.settle();
  CHECK(told(p) == golden_prompt("coder-resumed"));
  p.end_run();
  CHECK(told(p) == golden_prompt("coder-sent-back"));
}

TEST_CASE("golden: what the reviewer is told") {
  Plan p = opened_login();
  p.request_review("parsed, and tested with make test");
  CHECK(told(p) == golden_prompt("reviewer-first"));
  ask_and_answer(p, "May an empty name be a guest?", "no");
  CHECK(told(p) == golden_prompt("reviewer-answer"));
  p.request_changes("an empty name is accepted");
  p.request_review("refused now");
  CHECK(told(p) == golden_prompt("reviewer-history"));
}

TEST_CASE("golden: the next step, with what the user said on the first, and the end") {
  Policy policy = test_policy();
  policy.explain = kCodex;
  Plan p = Plan::opened(policy, std::string(kLogin));
  ask_and_answer(p, "Which port?", "8080");
  p.request_review(), p.request_changes("no tests"), p.request_review("tests"), p.approve();
  CHECK(told(p) == golden_prompt("coder-next-step"));
  p.human(Force{Role::reviewer, "look at the port"}), p.settle();
  CHECK(told(p) == golden_prompt("reviewer-forced"));
  p.approve();
  CHECK(told(p) == golden_prompt("explainer"));
}

}  // namespace pf::plan
