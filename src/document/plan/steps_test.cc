#include "document/plan/steps.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/text.h"
#include "document/lines.h"

namespace pf::document {
namespace {

// "1 First|2 Second"
std::string listed(std::string_view body) {
  std::string out;
  for (const Step& step : steps_of(body, 1))
    out += fmt::format("{}{} {}", out.empty() ? "" : "|", step.id, step.title);
  return out;
}

TEST_CASE("steps are found as headings") {
  CHECK(listed("# T\n## Step 1: First\n## Step 2 — Second\n### Step 2.1: part\n") ==
        "1 First|2 Second");
  CHECK(listed("### Step 1. First ###\n### step 2) Second\n### STEP 03\n") ==
        "1 First|2 Second|3 ");
  CHECK(listed("## **Step 1**: First\n## Step #2: Second\n## Step 2b: Third\n") ==
        "1 First|2 Second|2b Third");
  CHECK(listed("## Step: Write it\n## Steps\n## Step by step\n## Step 2nd\n") ==
        "write-it Write it");
}

TEST_CASE("steps are found as list items") {
  CHECK(listed("- Step 1: First\n- Step 2: Second\n  - Step 2.1: part\n") == "1 First|2 Second");
  CHECK(listed("* [ ] **Step 1: First**\n* [x] Step 2\n") == "1 First|2 ");
  CHECK(listed("1. Step 4: First\n2. Step 5: Second\n") == "4 First|5 Second");
  CHECK(listed("1. First\n2. **Second**\n\n   more\n3) Third\n") == "1 First|2 Second|3 Third");
  CHECK(listed("1. First\n1. Second\n1. Third\n") == "1 First|2 Second|3 Third");
  CHECK(listed("- goals\n  1. not a step\n\n1. First\n   1. nor this\n2. Second\n") ==
        "1 First|2 Second");
}

TEST_CASE("one family counts: step headings, then step items, then numbers") {
  CHECK(listed("1. a\n2. b\n\n- Step 1: item\n\n## Step 1: heading\n") == "1 heading");
  CHECK(listed("1. a\n2. b\n\n- Step 7: item\n") == "7 item");
  CHECK(listed("## Goals\n1. a\n2. b\n## Steps\n1. First\n2. Second\n## Risks\n1. c\n") ==
        "1 First|2 Second");
}

TEST_CASE("code and comments hold no steps") {
  CHECK(listed("```\n## Step 1: code\n```\n~~~~\n## Step 2: code\n~~~\n~~~~\n## Step 3: real\n") ==
        "3 real");
  CHECK(listed("<!--\n## Step 1: hidden\n-->\n<!-- one line -->\n## Step 2: real\n") == "2 real");
  CHECK(listed("## Step 1: real\n```\nnever closed\n## Step 2\n") == "1 real");
}

TEST_CASE("a step's body is what stands below it") {
  const auto headings =
      steps_of("## Step 1: a\n\nText.\n\n### Part\n\nMore.\n\n## Notes\n\nx\n", 5);
  REQUIRE(headings.size() == 1);
  CHECK(headings[0].body == "Text.\n\n### Part\n\nMore.\n");
  CHECK(headings[0].line == 5);
  const auto items =
      steps_of("- Step 1: a\n  text\n\n  ```\n- Step 9: code\n  ```\n- Step 2: b\n\nAfter.\n", 1);
  REQUIRE(items.size() == 2);
  CHECK(items[0].body == "text\n\n```\n- Step 9: code\n```\n");
  CHECK(items[1].body.empty());
}

std::string criteria(std::string_view body) { return join(acceptance_in(body), " | "); }

TEST_CASE("acceptance criteria are read in the forms people use") {
  CHECK(criteria("- Acceptance: it works; well\n- Tests: unit\n") == "it works; well");
  CHECK(criteria("  - Acceptance: it works\n    and goes on\n  - Tests: unit\n") ==
        "it works and goes on");
  CHECK(criteria("- **Acceptance criteria:**\n  - one\n  - [ ] two\n- Tests:\n  - three\n") ==
        "one | two");
  CHECK(
      criteria("Text.\n\nAcceptance criteria:\n\n- one\n- two\n  goes on\n\nOther text.\n- no\n") ==
      "one | two goes on");
  CHECK(criteria("Acceptance: one\nTests: two\n") == "one");
  CHECK(
      criteria("#### Acceptance criteria\n\n1. one\n2. two\n\nA paragraph.\n#### Notes\n- no\n") ==
      "one | two | A paragraph.");
  CHECK(criteria("Acceptance is near.\n- no\n").empty());
  CHECK(criteria("```\nAcceptance: code\n```\n").empty());
}

TEST_CASE("the plan of a plan loop reads as it was meant") {
  const auto steps = steps_of(
      "- Step 1: Plan state + validation\n"
      "  - Acceptance: plan.md frontmatter supports only `active_step`; loader tolerates it.\n"
      "  - Tests: unit tests for PlanState parsing.\n\n"
      "- Step 2: Flow state machine\n"
      "  - Acceptance: implements states `coder_active`, `reviewer_active`.\n"
      "  - Tests: happy path.\n",
      1);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].title == "Plan state + validation");
  CHECK(steps[0].acceptance ==
        std::vector<std::string>{
            "plan.md frontmatter supports only `active_step`; loader tolerates it."});
  CHECK(steps[1].body.find("Tests: happy path.") != std::string::npos);
  CHECK(find_step(steps, "plan-state-validation") == &steps[0]);
}

TEST_CASE("a step is named by its id, its number in words, or its title") {
  const auto steps = steps_of("## Step 1: Same\n## Step 2: Same\n## Step 3: Own way\n", 1);
  CHECK(find_step(steps, " 2 ") == &steps[1]);
  CHECK(find_step(steps, "step_02") == &steps[1]);
  CHECK(find_step(steps, "Own Way") == &steps[2]);
  CHECK(find_step(steps, "3-own-way") == &steps[2]);
  CHECK(find_step(steps, "same") == nullptr);  // two of them
  CHECK(find_step(steps, "2-same") == &steps[1]);
  CHECK(find_step(steps, "4") == nullptr);
  CHECK(find_step(steps, "") == nullptr);
  CHECK(slug_of("  Ähm, what's «this»? ") == "ähm-what-s-this");
  CHECK(slug_of(std::string(100, 'a')).size() == 60);
}

TEST_CASE("step words, numbers and what only looks like them") {
  CHECK(listed("## Phase one: First\n## Phase two: Second\n") == "one First|two Second");
  CHECK(listed("## Part A) First\n## Part B) Second\n") == "a First|b Second");
  CHECK(listed("## 1 First\n## 2 Second\n") == "1 First|2 Second");
  CHECK(listed("## 1.1 First\n## 1.2 Second\n") == "1.1 First|1.2 Second");
  CHECK(listed("## 2 fast\n## 2 furious\n").empty());
  CHECK(listed("## 404 is no step\n").empty());
  CHECK(listed("## 2024-01-02: kickoff\n").empty());
  CHECK(listed("## Taskforce 1: x\n## Partly 2: y\n## Part of 3: z\n").empty());
  CHECK(listed("# Task: add a login\n\n1. a\n2. b\n") == "1 a|2 b");
  CHECK(listed("## Task: a\n## Task: b\n") == "a a|b b");
  CHECK(listed("Step 1: a\nStep 2: b\n") == "1 a|2 b");
  CHECK(listed("Step 1: is what we call it.\n").empty());
  CHECK(listed("> ## Step 1: quoted\n\n- ## Step 2: in a list\n").empty());
}

TEST_CASE("what was read once is read so for good, whatever comes beside it") {
  const std::string text = "1. a\n2. b\n\n## 1. x\n## 2. y\n";
  const auto ways = ways_of(text, 1);
  REQUIRE(ways.size() == 2);
  CHECK(find_way(ways, "list") == &ways[1]);
  CHECK(find_way(ways, "numbered list") == &ways[1]);
  CHECK(find_way(ways, "ist") == nullptr);
  CHECK(find_way(ways, "") == nullptr);
  CHECK(choices_of(ways) == "--steps headings, or --steps list");
  REQUIRE(ways_of(text, 1, "numbered list").size() == 1);
  CHECK(ways_of(text, 1, "numbered list")[0].steps.at(1).title == "b");
  // Another list takes its place, else whatever is there.
  CHECK(ways_of("- [ ] a\n\n## 1. x\n", 1, "numbered list")[0].form == "checkbox list");
  CHECK(ways_of("## 1. x\n", 1, "numbered list")[0].form == "headings");
  CHECK(ways_of("text\n", 1, "numbered list").empty());
}

TEST_CASE("a log without a form reads as the first releases did") {
  const auto first = [](std::string_view text) {
    std::string out;
    for (const StepsRead& way : ways_of(text, 1, kFirstForms))
      for (const Step& step : way.steps) out += step.title + "|";
    return out;
  };
  CHECK(first("## 1. Parse\n\n1. a\n2. b\n\n## 2. Check\n") == "a|b|");
  CHECK(first("## Phase 1: x\n### Step 1: y\n## Phase 2: z\n### Step 2: w\n") == "y|w|");
  CHECK(first("1. a\n\n- Step 1: b\n\n**Step 1:** c\n") == "b|");
  CHECK(first("- [ ] a\n").empty());
}

TEST_CASE("steps beyond the limit are counted") {
  std::string text;
  for (int i = 1; i <= 1200; ++i) text += fmt::format("## {}. x\n", i);
  const auto ways = ways_of(text, 1);
  REQUIRE(ways.size() == 1);
  CHECK(ways[0].count == 1200);
  CHECK(ways[0].steps.size() == kMaxSteps + 1);
}

TEST_CASE("slugs of any alphabet, whatever their case and composition") {
  CHECK(slug_of("Größe ändern") == "grösse-ändern");
  CHECK(slug_of("GRÖSSE") == slug_of("größe"));
  CHECK(slug_of("a\u0308b") == "äb");  // a and its dots apart
  CHECK(slug_of("解析 表单！") == "解析-表单");
  CHECK(slug_of("🚀 Launch") == "launch");
  CHECK(slug_of("🚀").empty());
  CHECK(slug_of(std::string(40, 'x') + "ääääääääääääääää").size() == 60);
  CHECK(is_utf8(slug_of(std::string(59, 'x') + "ä")));
  CHECK(slug_of("Größe, ändern!", true) == "grosse-andern");
  const auto steps = steps_of("## Step: Größe ändern\n## Step: 表单\n", 1);
  CHECK(find_step(steps, "GRÖSSE-ÄNDERN") == &steps[0]);
  CHECK(find_step(steps, "表单") == &steps[1]);
}

}  // namespace
}  // namespace pf::document
