// Which lines of plan.md are its steps: settled when the plan is opened, and so for its life.
#include "plan/domain/reading.h"
#include "plan/domain/testing.h"

namespace pf::plan {
namespace {

using namespace testing;

constexpr std::string_view kCompeting =
    "1. first\n2. second\n3. third\n\n## 1. Why\n\nText.\n\n## 2. Cost\n\nText.\n";

Plan competing_plan() {
  Plan p;
  p.plan_text = kCompeting;
  return p;
}
Open open_with(std::string steps) { return {test_policy(), {}, false, std::move(steps)}; }

TEST_CASE("a plan whose steps nobody can tell is not opened without the user's word") {
  Plan p = competing_plan();
  const Done refused = p.human(Open{test_policy()});
  CHECK(refused.exit() == 1);
  CHECK(refused.rejection->error.why ==
        "plan.md line 5: the steps may be the headings from line 5 on (2 of them), or the numbered "
        "list from line 1 on (3 of them); say --steps headings, or --steps list");
  CHECK(p.human(open_with("lines")).exit() == 1);
  CHECK(p.log.empty());
  CHECK(p.human(open_with("list")).ok());
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
  CHECK(p.state.form == "numbered list");
  CHECK(p.state.actions.front().text ==
        "[pairflow] opened with claude as coder and codex as reviewer, 3 steps; by your word they "
        "are the numbered list; coder on step 1");
}

TEST_CASE("the user's word holds for the life of the plan, and plan.md is written by it") {
  for (const auto& [word, last] : {std::pair{"list", 3}, {"headings", 2}}) {
    Plan p = competing_plan();
    REQUIRE(p.human(open_with(word)).ok());
    p.settle();
    for (int step = 1; step <= last; ++step) {
      CHECK(p.state.step == std::to_string(step));
      REQUIRE(p.request_review().ok());
      REQUIRE(p.approve().ok());
    }
    CHECK(p.state.halt->kind == HaltKind::no_pending_steps);
    CHECK(p.plan_text == fmt::format("---\nactive_step: \"{}\"\n---\n{}", last, kCompeting));
  }
}

TEST_CASE("a plan under way is not asked about when an edit brings a second family") {
  Plan p = Plan::opened(test_policy(), "## 1. Parse\n## 2. Check\n");
  p.human(Pause{});
  p.settle();
  p.plan_text = "1. a\n2. b\n3. c\n\n" + p.plan_text + "## 3. Print\n";
  CHECK(p.human(Resume{}).ok());
  p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
  CHECK(p.state.steps.back().title == "Print");
  CHECK(p.state.problems.empty());
}

TEST_CASE("a log of the first releases reads its plan as they did") {
  State old;
  CHECK(form_of(old).empty());
  old.phase = Phase::coder_active;
  CHECK(form_of(old) == document::kFirstForms);
  old.form = "headings";
  CHECK(form_of(old) == "headings");
}

TEST_CASE("a ticked box is done when the plan is opened, and says nothing later") {
  Plan p = Plan::opened(test_policy(), "- [x] Freeze\n- [ ] Write\n- [ ] Tag\n");
  CHECK(steps_text(p.state) == "freeze done, write pending, tag pending");
  CHECK(p.state.step == "write");
  p.plan_text.replace(p.plan_text.find("[ ] Write"), 3, "[x]");
  p.settle();
  CHECK(steps_text(p.state) == "freeze done, write pending, tag pending");
  CHECK(p.request_review().ok());  // an agent may tick it; only the review counts
}

TEST_CASE("a thousand steps are opened, one more is refused with the number") {
  const auto many = [](int steps) {
    Plan p;
    p.plan_text = plan_of(steps, "");
    return p;
  };
  CHECK(many(1000).human(Open{test_policy()}).ok());
  const Done refused = many(1001).human(Open{test_policy()});
  CHECK(refused.exit() == 1);
  CHECK(refused.rejection->error.why.contains(
      "the plan has 1001 steps, and a plan has at most 1000"));
}

TEST_CASE("feature names of any alphabet") {
  for (const auto* good : {"login", "größe", "表单", "v2.0_x-y", "é"})
    CHECK(parse_feature_id(good));
  for (const auto* bad : {"", "-a", "a-", ".", "..", "a/b", "a b", "../evil", "a\u200bb", "\u202ea",
                          "p\u0430ypal", "🚀", "\xff", "a\n"})
    CHECK_FALSE(parse_feature_id(bad));
  CHECK(parse_feature_id(std::string(64, 'a')));
  CHECK_FALSE(parse_feature_id(std::string(65, 'a')));
}

}  // namespace
}  // namespace pf::plan
