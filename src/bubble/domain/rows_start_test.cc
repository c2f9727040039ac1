// BUBBLE rows 1 to 5: from nothing to the first turn.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

TEST_CASE("row 1: create records base, policy and task and nothing more") {
  Bubble b;
  const Done done = b.human(create_with(test_policy()));
  CHECK(envelopes(done.events) == "created human>orchestrator");
  CHECK(where(b.state) == "CREATED 0 -");
  CHECK(b.state.place.base_commit == CommitId("base"));
  CHECK(b.state.policy.profile.not_available == "no tests here");
  CHECK(b.state.task == "do it");
  CHECK(b.state.tip == CommitId("base"));
  CHECK(b.state.limit == 3);
  CHECK(b.state.history.empty());
  CHECK(done.events[0].tell.empty());
  CHECK(done.events[0].relaunch.empty());
}

TEST_CASE("row 1: a second create is refused, and only the human creates") {
  Bubble b;
  CHECK(b.as(kCodex, create_with(test_policy())).exit() == 1);
  CHECK(b.orchestrator(create_with(test_policy())).exit() == 1);
  CHECK(b.log.empty());
  REQUIRE(b.human(create_with(test_policy())).ok());
  const Done again = b.human(create_with(test_policy()));
  CHECK(again.exit() == 1);
  CHECK_FALSE(again.rejection->warn);
  CHECK(b.log.size() == 1);
}

TEST_CASE("before row 1 nothing but create is possible") {
  const std::vector<Command> humans = {Start{},  Reply{"x", ReplyDecision::none, 2, {}},
                                       Resume{}, Replan{"y"},
                                       Waive{},  Approve{},
                                       Rework{}, Commit{},
                                       Stop{},   AdoptConfig{}};
  for (const Command& command : humans) {
    Bubble b;
    CHECK(b.human(command).exit() == 1);
    CHECK(b.log.empty());
  }
  Bubble b;
  CHECK(b.as(kCodex, Pass{}).exit() == 1);
  CHECK(b.orchestrator(ReportEvidence{}).exit() == 1);
  CHECK(b.log.empty());
}

TEST_CASE("row 2: start prepares the workspace") {
  Bubble b;
  b.human(create_with(test_policy()));
  const Done done = b.human(Start{});
  CHECK(envelopes(done.events) == "preparing human>orchestrator");
  CHECK(where(b.state) == "PREPARING_WORKSPACE 0 -");
}

TEST_CASE("row 2: a start in RUNNING is refused") {
  Bubble b = Bubble::running();
  CHECK(b.human(Start{}).exit() == 1);
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
}

TEST_CASE("row 3: a prepared workspace starts round 1 with the configured implementer") {
  Bubble b;
  b.human(create_with(test_policy()));
  b.human(Start{});
  const Done done = b.orchestrator(ReportPrepared{Hash("g1")});
  CHECK(envelopes(done.events) == "TASK orchestrator>codex, EVIDENCE orchestrator>both");
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  CHECK(names(done.events[0].tell) == "codex");
  CHECK(names(done.events[0].relaunch) == "codex claude");
  CHECK(done.events[0].round == 1);
  CHECK(done.body<Tasked>().task == "do it");
  CHECK(done.body<Evidence>(1).status == EvidenceStatus::not_available);
  CHECK(b.state.rules == Hash("g1"));
  CHECK(b.state.history.size() == 1);
  CHECK(b.state.limit == 3);
  CHECK(b.orchestrator(ReportPrepared{}).events.empty());  // a second report changes nothing
}

TEST_CASE("row 3: with checks in the profile there is no evidence yet") {
  Policy policy = test_policy();
  policy.profile = {{{"test", "make test"}}, "", ""};
  Bubble b;
  b.human(create_with(policy));
  b.human(Start{});
  CHECK(envelopes(b.orchestrator(ReportPrepared{}).events) == "TASK orchestrator>codex");
}

TEST_CASE("row 4: a failed setup stays PREPARING, start again retries") {
  Bubble b;
  b.human(create_with(test_policy()));
  b.human(Start{});
  const Done done = b.orchestrator(ReportSetupFailed{"npm: not found"});
  CHECK(envelopes(done.events) == "setup_failed orchestrator>human");
  CHECK(where(b.state) == "PREPARING_WORKSPACE 0 -");
  CHECK(b.state.trouble == "npm: not found");
  CHECK(envelopes(b.human(Start{}).events) == "preparing human>orchestrator");
  CHECK(b.state.trouble.empty());
  CHECK(b.orchestrator(ReportPrepared{}).ok());
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
  CHECK(b.orchestrator(ReportSetupFailed{"late"}).events.empty());
}

TEST_CASE("row 5: an unrecoverable failure while preparing is FAILED") {
  Bubble b;
  b.human(create_with(test_policy()));
  b.human(Start{});
  CHECK(envelopes(b.orchestrator(ReportFailed{"disk"}).events) == "failed orchestrator>human");
  CHECK(where(b.state) == "FAILED 0 -");
  CHECK(b.human(Start{}).exit() == 1);
  CHECK(b.orchestrator(ReportPrepared{}).events.empty());
}

TEST_CASE("an edited bubble.toml is adopted; the agents may change before the start only") {
  Bubble b;
  b.human(create_with(test_policy()));
  Policy other = test_policy();
  other.roles = {AgentName("mine"), kCodex};
  other.max_rounds = 5;
  CHECK(envelopes(b.human(AdoptConfig{other, Hash("c2")}).events) ==
        "config_edited human>orchestrator");
  CHECK(b.state.limit == 5);
  CHECK(b.human(AdoptConfig{other, Hash("c2")}).events.empty());
  b.human(Start{});
  other.max_rounds = 7;
  REQUIRE(b.human(AdoptConfig{other, Hash("c3")}).ok());
  const Done task = b.orchestrator(ReportPrepared{});
  CHECK(where(b.state) == "RUNNING 1 mine/implementer");
  CHECK(b.state.limit == 7);  // max_rounds at the start
  CHECK(names(task.events[0].relaunch) == "mine codex");
  REQUIRE(b.state.agent(AgentName("mine")) != nullptr);
  CHECK(b.state.agent(kClaude) == nullptr);
  CHECK(b.state.agent(AgentName("mine"))->wanted == task.events[0].seq);
  CHECK(b.human(AdoptConfig{test_policy(), Hash("c4")}).exit() == 1);
  other.max_rounds = 9;
  CHECK(b.human(AdoptConfig{other, Hash("c5")}).ok());
  CHECK(b.state.limit == 7);
}

}  // namespace
}  // namespace pf::bubble
