#include "document/plan/plan_document.h"

#include <doctest/doctest.h>

namespace pf::document {
namespace {

constexpr std::string_view kBody =
    "# A feature\n\n## Step 1: Parse\n\nRead it.\n\n## Step 2: Print\n\nWrite it.\n";

std::string with(std::string_view frontmatter) {
  return "---\n" + std::string(frontmatter) + "---\n" + std::string(kBody);
}
std::string active(std::string_view text) {
  const auto plan = read_plan(text);
  REQUIRE_MESSAGE(plan, plan.error().what);
  return plan->active;
}
Problem refusal(std::string_view text) {
  const auto plan = read_plan(text);
  REQUIRE_FALSE(plan);
  return plan.error();
}
std::string activated(std::string_view text, const std::string& step) {
  const auto result = rewrite_plan(text, {step, {}});
  REQUIRE_MESSAGE(result, result.error().what);
  return *result;
}

TEST_CASE("step 1, tests: PlanState parsing with active_step") {
  CHECK(active(with("active_step: \"2\"\n")) == "2");
  CHECK(active(with("active_step: '2'\n")) == "2");
  CHECK(active(with("active_step: 2\n")) == "2");
  CHECK(active(with("active_step: 02 # the second\n")) == "2");
  CHECK(active(with("active_step:   \"2\"   \n")) == "2");
  CHECK(active(with("active_step: step-2\n")) == "2");
  CHECK(active(with("active_step: Step 2\n")) == "2");
  CHECK(active(with("active_step: print\n")) == "2");
  CHECK(active(with("active_step: step-2-print\n")) == "2");
  CHECK(active(with("\"active_step\": 2\n")) == "2");
  CHECK(active(with("{title: x, active_step: 2}\n")) == "2");
  CHECK(active(with("# note\ntitle: 'x'\nactive_step: 2\nnested:\n  - a: {b: 1}\n")) == "2");
}

TEST_CASE("step 1, tests: PlanState parsing without active_step, defaulting behavior") {
  CHECK(active(kBody) == "1");
  CHECK(active(with("")) == "1");
  CHECK(active(with("# only a comment\n")) == "1");
  CHECK(active(with("title: x\n")) == "1");
  CHECK(active(with("active_step:\n")) == "1");
  CHECK(active(with("active_step: # later\n")) == "1");
  CHECK(active(with("active_step: ~\n")) == "1");
  CHECK(active(with("active_step: null\n")) == "1");
  CHECK(active(with("active_step: \"\"\n")) == "1");
  CHECK(active(with("step_status:\n  1: done\n  2: pending\n")) == "2");
  CHECK(active(with("step_status: {1: done, 2: done}\n")) == "1");
  CHECK(active("") == "");
  CHECK(active("no steps here\n") == "");
  CHECK(active(with("active_step: 7\n")) == "");  // named, but no step: the validator's business
}

TEST_CASE("a byte order mark, CRLF and trailing spaces are fine") {
  CHECK(active("\xEF\xBB\xBF" + with("active_step: 2\n")) == "2");
  CHECK(active("---  \r\nactive_step: 2 \r\n---\t\r\n## Step 1\r\n## Step 2\r\n") == "2");
  const auto plan =
      read_plan("---\r\nactive_step: 2\r\n---\r\n## Step 1: a\r\nx\r\n## Step 2: b\r\n");
  CHECK(plan->steps.at(0).title == "a");
  CHECK(plan->steps.at(0).body == "x\n");
  CHECK(plan->steps.at(1).line == 6);
}

TEST_CASE("step 1, tests: PlanState parsing of malformed YAML, with line and fix") {
  CHECK(refusal(with("title: x\nactive_step: \"2\n")).line >= 3);
  CHECK(refusal(with("title: x\nactive_step: \"2\n")).what.find("malformed YAML") == 0);
  CHECK_FALSE(refusal(with("a: [1\n")).fix.empty());
  CHECK(refusal(with("a: 1\n b: 2\n")).line == 3);
  CHECK(refusal(with("just words\n")).what == "the frontmatter is no list of keys");
  CHECK(refusal(with("active_step: 1\nactive_step: 2\n")).line == 3);
  CHECK(refusal(with("a: \x01\n")).line == 2);
  CHECK(refusal("---\nactive_step: 2\n# no end\n").what ==
        "the frontmatter that begins here is not closed");
  CHECK(refusal("---\nactive_step: 2\n").line == 1);
  CHECK(refusal("---\nactive_step: 2\n").fix.find("---") != std::string::npos);
  for (const auto* form :
       {"active_step: [1, 2]\n", "active_step:\n  a: b\n", "active_step: |\n  2\n",
        "active_step: !!str 2\n", "active_step: &x 2\n", "step_status: done\n"})
    CHECK(refusal(with(form)).line == 2);
  CHECK(refusal("## Step 1\n\xff\n").line == 2);
  CHECK(refusal(std::string((1 << 20) + 1, 'x')).what == "the file is too large");
}

TEST_CASE("step 1, tests: preservation of body text on save") {
  const std::string text = with("active_step: \"1\"\n");
  CHECK(activated(text, "2") == with("active_step: \"2\"\n"));
  CHECK(activated(text, "1") == text);
}

TEST_CASE("only the value's bytes change, whatever its quotes and its surroundings") {
  CHECK(activated(with("active_step: 1\n"), "2") == with("active_step: 2\n"));
  CHECK(activated(with("active_step: '1'  # here\n"), "2") == with("active_step: '2'  # here\n"));
  CHECK(activated(with("b: \"ä\" # c\nactive_step:    1\na: x\n"), "2") ==
        with("b: \"ä\" # c\nactive_step:    2\na: x\n"));
  CHECK(activated(with("active_step: # later\n"), "2") == with("active_step: \"2\" # later\n"));
  CHECK(activated(with("active_step:\n"), "2") == with("active_step: \"2\"\n"));
  CHECK(activated(with("active_step: ~\n"), "2") == with("active_step: \"2\"\n"));
  CHECK(activated(with("{x: 1, active_step: 1}\n"), "2") == with("{x: 1, active_step: 2}\n"));
  CHECK(activated(with("? active_step\n: 1\n"), "2") == with("? active_step\n: 2\n"));
  const std::string bom = "\xEF\xBB\xBF";
  CHECK(activated(bom + with("active_step: 1\n"), "2") == bom + with("active_step: 2\n"));
  CHECK(activated("---\r\nactive_step: 1\r\n---\r\n## Step 1\r\n## Step 2", "2") ==
        "---\r\nactive_step: 2\r\n---\r\n## Step 1\r\n## Step 2");
}

TEST_CASE("a value that names the step in other words stays") {
  const std::string text = with("active_step: step-2\n");
  CHECK(activated(text, "2") == text);
}

TEST_CASE("a missing active_step is added as one line") {
  CHECK(activated(kBody, "2") == with("active_step: \"2\"\n"));
  CHECK(activated(with(""), "2") == with("active_step: \"2\"\n"));
  CHECK(activated(with("title: x # y\n"), "2") == with("active_step: \"2\"\ntitle: x # y\n"));
  CHECK(activated(with("  title: x\n"), "2") == with("  active_step: \"2\"\n  title: x\n"));
  CHECK(activated(with("{title: x}\n"), "2") == with("{active_step: \"2\", title: x}\n"));
  CHECK(activated("## Step 1\r\n## Step 2\r\n", "2") ==
        "---\r\nactive_step: \"2\"\r\n---\r\n## Step 1\r\n## Step 2\r\n");
  CHECK(activated("\xEF\xBB\xBF## Step 1\n", "1") ==
        "\xEF\xBB\xBF---\nactive_step: \"1\"\n---\n## Step 1\n");
}

TEST_CASE("a step_status map is kept current when it is there, and never added") {
  const auto done = [](const std::string& text, const std::string& step) {
    return *rewrite_plan(text, {std::nullopt, {{step, StepStatus::done}}});
  };
  CHECK(done(with("active_step: 1\n"), "1") == with("active_step: 1\n"));
  CHECK(done(with("step_status:\n  1: pending # x\n  2: pending\n"), "1") ==
        with("step_status:\n  1: done # x\n  2: pending\n"));
  CHECK(done(with("step_status:\n  step-1: \"needs_changes\"\n"), "1") ==
        with("step_status:\n  step-1: \"done\"\n"));
  CHECK(done(with("step_status:\n  1: done # first\nz: 1\n"), "2") ==
        with("step_status:\n  1: done # first\n  \"2\": done\nz: 1\n"));
  CHECK(done(with("step_status: {1: pending}\n"), "2") ==
        with("step_status: {1: pending, \"2\": done}\n"));
  CHECK(done(with("step_status: {}\n"), "2") == with("step_status: {\"2\": done}\n"));
  CHECK(done(with("step_status:\n"), "2") == with("step_status:\n"));
  CHECK(done(with("step_status:\n  1: [a]\n"), "1") == with("step_status:\n  1: [a]\n"));
  CHECK(*rewrite_plan(with("step_status:\n  1: pending\n  2: pending\nactive_step: 1\n"),
                      {"2", {{"1", StepStatus::done}}}) ==
        with("step_status:\n  1: done\n  2: pending\nactive_step: 2\n"));
}

TEST_CASE("what a step_status map says is read in our words only") {
  const auto plan =
      read_plan(with("step_status: {1: done, step-2: needs_changes, 9: done, print: ready}\n"));
  REQUIRE(plan);
  CHECK(plan->marks ==
        std::vector<StepMark>{{"1", StepStatus::done}, {"2", StepStatus::needs_changes}});
}

TEST_CASE("a step that does not exist cannot be made active") {
  CHECK_FALSE(rewrite_plan(kBody, {"9", {}}));
  CHECK_FALSE(rewrite_plan("---\nactive_step: 1\n", {"1", {}}));
}

TEST_CASE("the validator names line, what and fix of a plan") {
  CHECK(validate_plan(with("active_step: 2\nowner: me\n")).empty());
  CHECK(validate_plan(kBody).empty());
  const auto unknown = validate_plan(with("title: x\nactive_step: 7\n"));
  REQUIRE(unknown.size() == 1);
  CHECK(in_words("plan.md", unknown[0]) ==
        "plan.md line 3: active_step is `7`, which is no step of the plan; the steps are 1, 2");
  CHECK(validate_plan("# Nothing\n").at(0).what == "the plan has no steps");
  const auto twice = validate_plan("## Step 1: a\n## Step 2: b\n## Step 1: c\n");
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].line == 3);
  CHECK(twice[0].what == "step 1 is there twice, first on line 1");
  CHECK(validate_plan("---\na: [\n---\n").size() == 1);
}

TEST_CASE("the validator asks which lines are the steps, and counts them") {
  const auto asked = validate_plan("1. a\n2. b\n\n## 1. x\n## 2. y\n");
  REQUIRE(asked.size() == 1);
  CHECK(in_words("plan.md", asked[0]) ==
        "plan.md line 4: the steps may be the headings from line 4 on (2 of them), or the numbered "
        "list from line 1 on (2 of them); say --steps headings, or --steps list");
  CHECK(validate_plan("1. a\n2. b\n\n## 1. x\n## 2. y\n", "headings").empty());
  std::string many;
  for (int i = 1; i <= 1001; ++i) many += "1. x\n";
  REQUIRE(validate_plan(many).size() == 1);
  CHECK(validate_plan(many)[0].what == "the plan has 1001 steps, and a plan has at most 1000");
  CHECK(validate_plan(many.substr(5)).empty());
}

TEST_CASE("a user's word about the steps") {
  const std::string text = "1. a\n2. b\n\n## 1. x\n## 2. y\n";
  CHECK(form_meant(text, "list") == "numbered list");
  CHECK(form_meant(text, "headings") == "headings");
  CHECK(form_meant(text, "lines").error().what == "`lines` does not say which ones are the steps");
  CHECK(form_meant("## Step 1: x\n\n1. a\n", "list") == "numbered list");  // it is his plan
  CHECK(form_meant("## Step 1: x\n", "list").error().what ==
        "there are no steps in the form `list`");
  CHECK(form_meant("## Step 1: x\n", "list").error().fix == "its steps are read as step headings");
  CHECK_FALSE(form_meant("---\n", "list"));
}

TEST_CASE("the validator of a specification") {
  CHECK(validate_spec("# Title\n\nText.\n\n## A\n\n```\n# not a heading\n```\n").empty());
  CHECK(validate_spec("Title\n=====\n\nText.\n\nPart\n----\n\nMore.\n").empty());
  CHECK(validate_spec("---\nowner: me\n---\n# Title\n\nText.\n").empty());
  CHECK(validate_spec("").at(0).what == "there is no title");
  CHECK(validate_spec("Only text.\n").at(0).what == "there is no title");
  CHECK(validate_spec("# Title\n").at(0).what == "the section “Title” is empty");
  const auto empty = validate_spec("# Title\n\n## A\n\n## B\n\nText.\n\n## C\n");
  REQUIRE(empty.size() == 2);
  CHECK(empty[0].line == 3);
  CHECK(empty[1].line == 9);
  CHECK(validate_spec("# T\n\nx\n\n```sh\nrun\n").at(0).line == 5);
  CHECK(validate_spec("---\na: 1\n# T\n\nx\n").at(0).line == 1);
  CHECK(validate_spec("---\na: [\n---\n# T\n\nx\n").at(0).what.find("malformed YAML") == 0);
  CHECK(validate_spec("# T\n\nx\n\xc3\n").at(0).line == 4);
}

}  // namespace
}  // namespace pf::document
