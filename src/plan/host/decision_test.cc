#include "plan/host/decision.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

TEST_CASE("the page of a decision: verdicts with their words, open steps, change, warnings, tree") {
  PlanDecision decision;
  decision.feature = "login";
  decision.branch = "plan/login";
  decision.into = "main";
  decision.tree = "0123";
  decision.steps = {{"1", "Begin", "bob", "good\nand short", 0, "0122"},
                    {"2", "Go on", "bob", " ", 2, "0123"}};
  decision.open = {"3 End"};
  decision.changed = {{"a.txt", "A", 3, 0, "100644"}, {"b.png", "M", -1, -1, "100644"}};
  decision.warnings = {"step 1 has no snapshot"};
  CHECK(page_of(decision) ==
        "Plan login: 2 approved steps, plan/login, then into main\n"
        "\n"
        "  ✓ 1 Begin\n"
        "    approved by bob\n"
        "    > good\n"
        "    > and short\n"
        "\n"
        "  ✓ 2 Go on\n"
        "    approved by bob after 2 change requests\n"
        "\n"
        "  · 3 End is open\n"
        "\n"
        "Checks: none were run in this plan\n"
        "\n"
        "Change (2 files):\n"
        "A     +3     −0  a.txt\n"
        "M    bin         b.png\n"
        "\n"
        "  ! step 1 has no snapshot\n"
        "\n"
        "Tree 0123\n");
}

TEST_CASE("the page of a plan without a verdict") {
  PlanDecision decision;
  decision.feature = "login";
  decision.branch = "main";
  CHECK(page_of(decision) ==
        "Plan login: 0 approved steps, main\n"
        "\n"
        "Checks: none were run in this plan\n"
        "\n"
        "Change (0 files):\n");
}

}  // namespace
}  // namespace pf
