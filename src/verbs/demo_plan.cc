#include <fmt/format.h>

#include "base/codec.h"
#include "plan/verbs/caller.h"
#include "verbs/demo_stage.h"

namespace pf {
namespace {

constexpr const char* kTour =
    "---\nactive_step: 1\n---\n# A short tour\n\n"
    "## Step 1: Greet the world\n\n- Acceptance:\n"
    "  - demo/step-1.txt greets the world, spelt as it likes to be\n\n"
    "## Step 2: Leave a note\n\n- Acceptance:\n"
    "  - demo/step-2.txt says which step it is\n";

}  // namespace

Result<Said> demo_plan(Caller& caller, DemoStage& stage) {
  TRY(stage.prepare({{"README.md", "# Greetings\n"}, {"docs/tour/plan.md", kTour}}, "demo",
                    "[plan]\ncoder = \"codex\"\nreviewer = \"claude\"\n"));
  TRY(stage.pairflow({"plan", "validate", "tour"}));
  TRY(stage.show({"plan", "run", "tour", "--plain", "--no-wait"}));
  TRY(stage.pairflow({"plan", "status", "tour"}));
  TRY(stage.pairflow({"plan", "reply", "tour", "--message", "Thank you, that is all."}));
  TRY(stage.pairflow({"plan", "land", "tour", "--yes"}));
  TRY(stage.git({"log", "--oneline"}, "git log --oneline"));
  PlanLoop loop(caller.os, PlanPaths(TRY(find_repository(caller.os, stage.repo())),
                                     TRY(plan::parse_feature_id("tour"))));
  TRY(Lock::take(caller.os, loop.paths().lease, kDemoLimit));  // nothing runs there any more
  const plan::State state = TRY(loop.load());
  Said said;
  said.json = state_json(state);
  said.text = fmt::format("\nplan {} is {}: {} steps, each committed as it was approved\n",
                          state.feature.str(), name_of(state.phase), state.steps.size());
  return said;
}

}  // namespace pf
