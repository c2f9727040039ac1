// Agents that are launched for their role, and the parts that are delegated.
#include "role/domain/switches.h"
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

// What a scripted agent does in its role until the switch.
void act(Repo& r) {
  const RunView& process = r.processes.at(0);
  switch (process.role) {
    case Role::planner:
      if (!r.state.work) r.write_tasks(r.git.roadmaps.size() == 1 ? 2 : 1);
      r.as(process.agent, Start{});
      for (const auto* feature : {"F001", "F002"}) {
        const std::string wanted = r.state.work ? "" : feature;
        if (r.as(process.agent, Handoff{Role::coder, "go", {}, wanted}).ok()) break;
      }
      break;
    case Role::coder:
      r.as(process.agent, Start{});
      r.git.dirty = {"src/a.cc"};
      r.as(process.agent, Handoff{Role::reviewer, "done"});
      break;
    case Role::reviewer:
      r.as(process.agent, Start{});
      r.as(process.agent, ApproveTask{});
      break;
  }
}

// Until nobody runs any more.
void run_all(Repo& r) {
  r.human(Automate{"run-1"});
  for (int i = 0; i < 40; ++i) {
    r.settle();
    if (r.processes.empty()) return;
    act(r);
  }
  throw std::logic_error("it never ends");
}

Repo automated(Autopilot level) {
  Repo r = Repo::begun();
  r.me(SetAutopilot{level});
  run_all(r);
  return r;
}

TEST_CASE("a run over two features ends at the defaults: full merges both") {
  Repo r = automated(Autopilot::full);
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(r.files.at(std::string(kRoadmapFile)) ==
        "# Roadmap\n\n- [x] F001: Log in\n- [x] F002: Search\n");
  CHECK(r.summaries.size() == 2);
  CHECK(r.state.halted == "every feature of the roadmap is finished");
  CHECK(r.state.reg.run_id == "run-1");
  CHECK(r.state.reg.last_agent == "REVIEWER");
  CHECK(r.launched.front() == "PLANNER claude");
}

TEST_CASE(
    "a run over two features: off leaves both in the inbox, review_only opens two pull requests") {
  Repo off = automated(Autopilot::off);
  CHECK(where(off.state) == "PLANNER in_progress -");
  CHECK(inbox_of(off.state).size() == 2);
  CHECK(off.git.branches.at("main") == CommitId("c0"));
  Repo pulls = automated(Autopilot::review_only);
  CHECK(where(pulls.state) == "PLANNER in_progress -");
  CHECK(pulls.pulls.size() == 2);
  CHECK(pulls.git.branches.at("main") == CommitId("c0"));
}

TEST_CASE("an agent that ends without a switch is sent back once, then the agents rest") {
  Repo r = Repo::coding();
  r.human(Automate{"x"}), r.settle();
  CHECK(r.launched == std::vector<std::string>{"CODER codex"});
  r.processes.at(0) = {1, Role::coder, kCode, false, 0};
  r.settle();
  CHECK(r.state.sent_back);
  CHECK(r.launched.size() == 2);
  CHECK(briefing_for(r.state, Role::coder, true).contains("ended without handing over"));
  r.processes.at(0) = {2, Role::coder, kCode, false, 0};
  r.settle();
  CHECK(r.processes.empty());
  CHECK(r.state.halted == "CODER ended twice without handing over");
  CHECK(inbox_of(r.state).at(0).kind == "resting");
}

TEST_CASE("an agent that fails lets the agents rest; one that was lost is launched again") {
  Repo r = Repo::coding();
  r.human(Automate{"x"}), r.settle();
  r.as(kCode, Start{});
  r.processes.clear();  // nobody saw it end
  r.settle();
  CHECK(r.launched.size() == 2);
  CHECK_FALSE(r.state.taken);
  r.processes.at(0) = {2, Role::coder, kCode, false, 3};
  r.settle();
  CHECK(r.state.halted == "CODER's run failed with exit code 3");
}

TEST_CASE("blocked: the role that can unblock is launched with the question, then the asker") {
  Repo r = Repo::coding();
  r.human(Automate{"x"}), r.settle();
  r.code(Start{}), r.code(Block{Role::planner, "Which port?"});
  CHECK(where(r.state) == "PLANNER blocked feat/F001-log-in");
  CHECK(r.launched == std::vector<std::string>{"CODER codex", "PLANNER claude"});
  CHECK(inbox_of(r.state).empty());
  const std::string told = briefing_for(r.state, Role::planner, false);
  CHECK(told.contains("- Note:\n  > Which port?\n"));
  CHECK(told.contains("CODER asks you"));
  CHECK(told.contains("pairflow role handoff --to CODER --message \"<your answer>\""));
  r.plan(Start{});
  CHECK(to_do(r.state, Role::planner, true, {}).contains("CODER asks you"));
  r.plan(Handoff{Role::coder, "8080"});
  CHECK(r.launched.back() == "CODER codex");
  CHECK(r.state.automation == "x");
}

TEST_CASE("blocked for the human, by a role that nobody plays, or taken: no agent is launched") {
  Repo r = Repo::coding();
  r.code(Block{Role::planner, "Which port?", {}, true});
  CHECK(where(r.state) == "PLANNER blocked feat/F001-log-in");
  CHECK(inbox_of(r.state).at(0).command == "pairflow role handoff --to CODER --message \"…\"");
  r.human(Automate{"x"}), r.settle();
  CHECK(r.launched.empty());
  CHECK(r.state.halted.contains("blocked"));
  CHECK(r.me(Handoff{Role::coder, "8080"}).ok());
  Repo planner = Repo::begun();
  CHECK(planner.plan(Block{Role::coder, "What is it for?", {}, true}).ok());
  CHECK(where(planner.state) == "REVIEWER blocked -");
  CHECK(planner.me(Handoff{Role::planner, "For Ada"}).ok());
  Policy policy = test_policy();
  policy.planner = {};
  Repo anyone = Repo::coding(1, policy);
  anyone.code(Block{Role::planner, "Which port?"});
  anyone.human(Automate{"x"}), anyone.settle();
  CHECK(anyone.state.halted.contains("blocked"));
  CHECK(inbox_of(anyone.state).at(0).kind == "blocked");
  Repo taken = Repo::coding();
  taken.human(Automate{"x"}), taken.human(Start{}), taken.settle();
  CHECK(taken.launched.empty());
  CHECK_FALSE(taken.state.automation.empty());
  // The holder of the role that lets the agents run gives it to them.
  taken.human(Automate{"x"}), taken.settle();
  CHECK(taken.launched == std::vector<std::string>{"CODER codex"});
}

TEST_CASE("role run alone writes nothing; its id comes with the first switch") {
  Repo r = Repo::coding();
  const std::string before = r.register_text();
  r.human(Automate{"run-7"}), r.settle();
  CHECK(r.register_text() == before);
  r.code(Start{});
  CHECK(r.state.reg.run_id == "run-7");
}

TEST_CASE("in its own run an agent may take the role twice, and is told what to do again") {
  Repo r = Repo::coding();
  r.human(Automate{"x"}), r.settle();
  CHECK(r.code(Start{}).ok());
  CHECK(r.code(Start{}).ok());
  r.me(Start{});
  const Done late = r.code(Handoff{Role::reviewer, "done"});
  CHECK(late.reason() == "taken");
  CHECK(late.rejection->error.fix.starts_with("end your run here"));
}

TEST_CASE("a process that is not wanted is ended") {
  Repo r = Repo::coding();
  CHECK(r.orchestrator(ReportRunStarted{1, Role::coder, kCode}).exit() == 1);
  r.human(Automate{"x"}), r.settle();
  r.as(kCode, Handoff{Role::reviewer, "done"});
  r.settle();
  CHECK(r.processes.size() == 1);
  CHECK(r.processes.at(0).role == Role::reviewer);
  r.me(StopAutomation{"enough"});
  CHECK(r.processes.empty());
}

TEST_CASE("the coder's part can go to a plan or a bubble, by reference") {
  Policy policy = test_policy();
  policy.coder_by = CoderBy::bubble;
  Repo r = Repo::coding(1, policy);
  r.human(Automate{"x"}), r.settle();
  CHECK(r.launched.empty());
  CHECK(r.state.child->id == "child-1");
  CHECK(r.children == std::vector<std::string>{"child-1"});  // made after it was written down
  CHECK(r.orchestrator(ReportDelegated{"child-2"}).exit() == 1);
  CHECK(r.orchestrator(ReportChildEnded{"child-1", true, "merged as abc"}).ok());
  CHECK(where(r.state) == "REVIEWER handoff feat/F001-log-in");
  CHECK(r.state.reg.msg == "The bubble child-1 has finished T01\nmerged as abc");
  CHECK(r.orchestrator(ReportChildEnded{"child-1", true}).events.empty());
  Repo stopped = Repo::coding(1, policy);
  stopped.human(Automate{"x"}), stopped.settle();
  stopped.orchestrator(ReportChildEnded{"child-1", false, "cancelled"});
  CHECK(where(stopped.state) == "PLANNER blocked feat/F001-log-in");
  CHECK(stopped.state.for_human);
}

TEST_CASE("briefings are short and written from the table of switches") {
  const Policy policy = test_policy();
  for (const Role role : {Role::planner, Role::coder, Role::reviewer}) {
    const std::string text = briefing_of(role, policy);
    CHECK(text.size() < 3000);
    for (const SwitchRule& rule : switch_rules()) {
      CHECK(text.contains(rule.command) == rule.is_for(role));
      CHECK(text.contains(rule.rule) == rule.is_for(role));
    }
    CHECK(text.contains("at most 12 lines of at most 200 characters"));
  }
  CHECK(
      briefing_of(Role::planner, policy).contains("feat, fix, chore, docs, refactor, test, perf"));
  CHECK_FALSE(briefing_of(Role::coder, policy).contains("approve-task"));
  Repo r = Repo::coding();
  const std::string now = briefing_for(r.state, Role::coder, false);
  CHECK(now.contains("- Work: F001 Log in on feat/F001-log-in, T01\n"));
  CHECK(now.contains("- Note:\n  > T01 is next\n"));
  CHECK(now.contains("Autopilot: off (every commit and merge waits for the human)"));
  const Around around{.task_file = "docs/current/T01-form.md",
                      .checks = {"make lint", "make test"},
                      .build = "/tmp/b"};
  const std::string placed = briefing_for(r.state, Role::coder, false, around);
  CHECK(placed.contains("- Task: read docs/current/T01-form.md\n- Check: `make lint`; Pairflow"));
  CHECK(placed.contains("- Check: `make test`; Pairflow runs it before anything lands\n"));
  CHECK_FALSE(placed.contains("/tmp/b"));
  CHECK(briefing_for(r.state, Role::reviewer, false, around).contains("-t /tmp/b; cd /tmp/b`"));
}

TEST_CASE("what a briefing offers, the decider takes; what it does not, it refuses") {
  for (const SwitchRule& rule : switch_rules()) {
    if (rule.verb == Verb::init) continue;
    for (const Role role : {Role::planner, Role::coder, Role::reviewer}) {
      Repo r = Repo::coding(1);
      if (role == Role::planner) r.code(Handoff{Role::planner, "x"});
      if (role == Role::reviewer) r.code(Handoff{Role::reviewer, "x"});
      const AgentName agent = test_policy().agent_of(role);
      const Role other = usual_next(role);
      Command command = Start{};
      if (rule.verb == Verb::handoff) command = Handoff{other, "x"};
      if (rule.verb == Verb::block) command = Block{other, "x?"};
      if (rule.verb == Verb::approve_task) command = ApproveTask{};
      if (rule.verb == Verb::approve_feature) command = ApproveFeature{};
      const Done done = r.as(agent, command);
      CHECK_MESSAGE((done.reason() != "wrong_role") == rule.is_for(role), rule.command);
    }
  }
}

}  // namespace
}  // namespace pf::role
