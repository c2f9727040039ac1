// Any bytes as plan.md and spec.md: reading never crashes, and a rewrite changes our values only,
// says afterwards what it was asked to say, and is the same when it is done again. Half of the
// inputs are edits of a sound plan, since random bytes rarely have steps.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "document/frontmatter.h"
#include "document/plan/plan_document.h"

namespace pf::document {
namespace {

constexpr std::string_view kPlan =
    "---\n# note\ntitle: 'a plan'\nstep_status:\n  \"1\": done\n  2: pending\nactive_step: \"2\" # "
    "here\n---\n# Login\n\n## Step 1: Parse\n\n- Acceptance:\n  - empty is refused\n\n## Step 2: "
    "Check\n\n```\n## Step 3\n```\n<!-- x\n-->\n## Step 3: End\n\n1. a\n2) b\n- Step 4: c\n";

std::string edited(std::string text, FuzzedDataProvider& input) {
  while (input.remaining_bytes() > 0) {
    const auto at = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
    const auto bytes = input.ConsumeRandomLengthString(24);
    switch (input.ConsumeIntegralInRange(0, 3)) {
      case 0: text.insert(at, bytes); break;
      case 1: text.replace(at, bytes.size(), bytes); break;
      case 2: text.erase(at, input.ConsumeIntegralInRange<std::size_t>(1, 60)); break;
      default: text.insert(at, text.substr(0, input.ConsumeIntegral<std::uint8_t>()));
    }
  }
  return text;
}

// The body, byte for byte; in the frontmatter nothing becomes shorter but by a value of ours.
void check_untouched(const std::string& before, const std::string& after) {
  const auto old_front = read_frontmatter(before);
  const auto new_front = read_frontmatter(after);
  PF_CHECK(old_front && new_front);
  PF_CHECK(before.substr(old_front->body) == after.substr(new_front->body));
  std::size_t at = 0;
  for (const YamlPair& pair : old_front->keys.pairs) {
    if (pair.key == "active_step" || pair.key == "step_status" || pair.key.empty()) continue;
    const YamlPair* same = new_front->keys.find(pair.key);
    PF_CHECK(same != nullptr && same->value.value == pair.value.value);
    PF_CHECK(same->key_span.begin >= at);  // in the same order
    at = same->key_span.begin;
  }
}

void check_rewrite(const std::string& text, const PlanDocument& plan, const PlanChange& change) {
  const auto changed = rewrite_plan(text, change);
  if (!changed) return;
  const auto again = rewrite_plan(*changed, change);
  PF_CHECK(again.has_value() && *again == *changed);
  if (*changed == text) return;
  check_untouched(text, *changed);
  const auto read = read_plan(*changed);
  PF_CHECK(read.has_value() && read->steps.size() == plan.steps.size());
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    PF_CHECK(read->steps[i].id == plan.steps[i].id && read->steps[i].title == plan.steps[i].title);
    PF_CHECK(read->steps[i].body == plan.steps[i].body);
  }
  if (change.active) PF_CHECK(read->active == *change.active && read->named);
}

void check_plan(const std::string& text, FuzzedDataProvider& input) {
  const auto plan = read_plan(text);
  const auto problems = validate_plan(text);
  PF_CHECK(plan || !problems.empty());
  for (const Problem& problem : problems) PF_CHECK(problem.line >= 1 && !problem.what.empty());
  for (const Problem& problem : validate_spec(text))
    PF_CHECK(problem.line >= 1 && !problem.what.empty());
  if (!plan) {
    PF_CHECK(!rewrite_plan(text, {"1", {}}));
    return;
  }
  for (const Step& step : plan->steps) PF_CHECK(is_utf8(step.title) && is_utf8(step.body));
  if (plan->steps.empty() || !problems.empty()) return;  // only sound plans are rewritten
  PlanChange change;
  const auto any_step = [&] {
    return plan->steps[input.ConsumeIntegralInRange<std::size_t>(0, plan->steps.size() - 1)].id;
  };
  if (input.ConsumeBool()) change.active = any_step();
  for (auto marks = input.ConsumeIntegralInRange(0, 3); marks > 0; --marks)
    if (const auto id = any_step();
        std::ranges::find(change.marks, id, &StepMark::step) == change.marks.end())
      change.marks.push_back({id, static_cast<StepStatus>(input.ConsumeIntegralInRange(0, 2))});
  check_rewrite(text, *plan, change);
}

}  // namespace
}  // namespace pf::document

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider choices(data, std::min<std::size_t>(size, 8));
  FuzzedDataProvider input(data + std::min<std::size_t>(size, 8),
                           size - std::min<std::size_t>(size, 8));
  const bool whole = choices.ConsumeBool();
  const std::string text = whole ? input.ConsumeRemainingBytesAsString()
                                 : pf::document::edited(std::string(pf::document::kPlan), input);
  pf::document::check_plan(text, choices);
  return 0;
}
