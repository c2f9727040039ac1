// The guards: change requests on a task, runs and time on a feature, then the human is asked.
#include "role/domain/effort.h"

#include "role/domain/counted.h"
#include "role/domain/switches.h"
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

// The coder codes and the reviewer hands back, until nobody is launched any more.
int spin(Repo& r) {
  for (int runs = 0; runs < 200; ++runs) {
    r.settle();
    if (r.processes.empty()) return runs;
    const RunView process = r.processes.at(0);
    r.clock_ms += 30'000;
    const Role to = process.role == Role::reviewer ? Role::coder : usual_next(process.role);
    r.as(process.agent, Start{});
    r.as(process.agent, Handoff{to, "once more"});
  }
  throw std::logic_error("it never ends");
}

TEST_CASE("a reviewer that always hands back is parked at the bound, and the human is asked") {
  Repo r = Repo::coding(1);
  r.human(Automate{"x"});
  CHECK(spin(r) == 8);  // three requests are allowed, the fourth asks
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(r.state.reg.msg == "once more");  // the reviewer's words are not lost
  CHECK(r.state.halted.starts_with("T01 of F001 was handed back 4 times (3 allowed); 8 runs, "));
  const auto items = inbox_of(r.state);
  REQUIRE(items.size() == 1);
  CHECK(items[0].kind == "guard");
  CHECK(items[0].text.contains("8 runs, "));
  CHECK(items[0].command == "pairflow role run");
  CHECK(items[0].otherwise ==
        std::vector<std::string>{"pairflow role rework F001 --message \"…\""});
  CHECK(effort_text(r.state).contains("change requests 4 of 3"));
  // His word begins the count anew.
  r.human(Automate{"y"});
  CHECK(r.state.effort.change_requests == 0);
  CHECK(spin(r) == 8);
}

TEST_CASE("the human's rework or handoff goes on, too") {
  Repo r = Repo::coding(1);
  r.human(Automate{"x"});
  spin(r);
  CHECK(r.me(Rework{"F001", "Take the second form"}).ok());
  CHECK(r.state.effort.runs == 0);
  r.human(Automate{"y"}), r.settle();
  CHECK(r.launched.back() == "CODER codex");
  CHECK(briefing_for(r.state, Role::coder, false).contains("  > Take the second form\n"));
}

TEST_CASE("checks that stay red count as change requests") {
  Repo r = at_level(Autopilot::full);
  r.checks_pass = false;
  r.human(Automate{"x"}), r.settle();
  for (int i = 0; i < 20 && !r.processes.empty(); ++i) {
    const RunView process = r.processes.at(0);
    r.as(process.agent, Start{});
    if (process.role == Role::coder)
      r.as(process.agent, Handoff{Role::reviewer, "mended"});
    else if (!r.state.work->task.empty())
      r.as(process.agent, ApproveTask{});
    else
      r.as(process.agent, ApproveFeature{});
    r.settle();
  }
  CHECK(r.state.halted.starts_with("F001 was handed back 4 times (3 allowed)"));
}

TEST_CASE("an approved task begins its own count") {
  Repo r = Repo::reviewing(2);
  r.review(Handoff{Role::coder, "no"});
  r.code(Handoff{Role::reviewer, "done"});
  CHECK(r.state.effort.change_requests == 1);
  r.review(ApproveTask{});
  CHECK(r.state.effort.change_requests == 0);
}

TEST_CASE("runs of one feature are limited, whatever they are spent on") {
  Policy policy = test_policy();
  policy.max_runs = 5;
  Repo r = Repo::coding(1, policy);
  r.human(Automate{"x"}), r.settle();
  for (int i = 0; i < 20 && !r.processes.empty(); ++i) {
    const RunView process = r.processes.at(0);
    r.as(process.agent, Start{});
    const bool asks = process.role == Role::coder;
    if (asks)
      r.as(process.agent, Block{Role::planner, "Which port?"});
    else
      r.as(process.agent, Handoff{Role::coder, "8080"});
    r.settle();
  }
  CHECK(r.launched.size() == 5);
  CHECK(r.state.halted.starts_with("the limit of 5 runs is reached; 5 runs, "));
  CHECK(inbox_of(r.state).at(0).kind == "blocked");
  r.human(Automate{"y"}), r.settle();
  CHECK(r.launched.size() == 6);
}

TEST_CASE("time on a feature: of the runs alone, cut off where it is over") {
  State state;
  state.begun = true;
  state.policy.time_budget_minutes = 1;
  state.work = Work{"F001"};
  state.effort = {3, 0, 40'000};
  state.automation = "x";
  state.run = Run{3};
  state.working_since = {"boot", 1000};
  CHECK(time_on_feature(state, {"boot", 11'000}) == std::chrono::seconds(50));
  CHECK(time_on_feature(state, {"another boot", 11'000}) == std::chrono::seconds(40));
  CHECK(spent_text(state, {"boot", 11'000}).empty());
  CHECK(spent_text(state, {"boot", 21'000}) ==
        "the limit of 1 minute is reached; 3 runs, 1m 0s on F001");
  CHECK(*budget_deadline_ms(state, {"boot", 11'000}) == 21'000);
  Observed observed;
  observed.runs = {{3, Role::planner, {}, true, {}}};
  observed.reg = state.disk = Hash("x");
  observed.now = {"boot", 21'000};
  const auto effects = outstanding(state, observed);
  REQUIRE(effects.size() == 1);
  CHECK(std::get<EndAutomation>(effects[0]).why.starts_with("the limit of 1 minute"));
  observed.now.mono_ms = 20'999;
  CHECK(outstanding(state, observed).empty());
}

TEST_CASE("the next feature has its own count") {
  Repo r = at_level(Autopilot::full);
  r.human(Automate{"x"}), r.settle();
  CHECK(r.state.effort.runs == 1);
  r.review(Start{}), r.review(ApproveTask{});
  CHECK(r.state.effort.runs == 1);  // the planner's, who chooses it
  CHECK(r.launched.back() == "PLANNER claude");
}

TEST_CASE("one is told as one") {
  CHECK(counted(1, "run") == "1 run");
  CHECK(counted(2u, "run") == "2 runs");
  CHECK(counted(0, "run") == "0 runs");
}

}  // namespace
}  // namespace pf::role
