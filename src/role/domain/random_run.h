#pragma once
// Random commands for the properties: of agents, the human, the orchestrator and people who edit
// the files, sensible ones more often than wild ones, so that a run gets far.
#include <random>

#include "base/seeds.h"
#include "role/domain/testing.h"

namespace pf::role::testing {

using pf::testing::any_seed;
using pf::testing::known_seeds;

class RandomRun {
 public:
  Repo r;

  explicit RandomRun(unsigned seed) : dice_(seed) {
    Policy policy = test_policy();
    policy.has_checks = chance(80);
    if (chance(20)) policy.coder = {};
    if (chance(20)) policy.reviewer = kPlan;
    r.stop_early = true;
    must(r.human(Init{policy}).ok(), "init");
    if (chance(70)) r.human(autopilot());
  }

  Done step() {
    r.clock_ms += at_most(100) * 1000;
    r.checks_pass = chance(85);
    r.merges_pass = chance(85);
    r.git.merged_tree = chance(40) ? fmt::format("tree {}", at_most(5)) : "";
    r.git.conflicts = chance(10) ? std::vector<std::string>{"x"} : std::vector<std::string>{};
    if (chance(70))
      r.settle(50);
    else if (chance(50))
      r.settle(at_most(3));
    const int kind = at_most(99);
    if (kind < 60) return agent_step();
    if (kind < 72) return report();
    if (kind < 80) edit();
    return human_step();
  }

  int at_most(int n) { return std::uniform_int_distribution<int>(0, n)(dice_); }
  bool chance(int percent) { return at_most(99) < percent; }

 private:
  SetAutopilot autopilot() {
    return {static_cast<Autopilot>(at_most(2)),
            chance(r.state.policy.has_checks ? 3 : 50) ? "a spike" : ""};
  }
  std::string feature() { return chance(45) ? "F001" : chance(80) ? "F002" : "F009"; }
  Role some_role() { return static_cast<Role>(at_most(2)); }
  std::string note() { return chance(95) ? "see docs/a.md, T01?" : chance(50) ? "" : "```"; }
  AgentName agent() {
    const AgentName own = r.state.policy.agent_of(r.state.reg.current_role);
    if (!own.empty() && chance(92)) return own;
    return chance(50) ? kCode : kRead;
  }

  Handoff handoff() {
    const Role now = r.state.reg.current_role;
    Handoff c{now == Role::coder ? Role::reviewer : Role::coder, note()};
    if (chance(10)) c.to = some_role();
    if (now != Role::planner && chance(97)) return c;
    if (!r.state.work || chance(10)) c.feature = chance(50) ? "F001" : "F002";
    if (chance(60) && r.state.work == std::nullopt) r.write_tasks(1 + at_most(2));
    if (chance(25)) c.risk = "risky";
    if (chance(5)) c.branch = "feat/F001-other";
    if (chance(5)) c.task = "T02";
    return c;
  }

  Command agent_command() {
    if (chance(20)) return Start{};
    if (chance(8)) return Block{some_role(), note(), {}, chance(30)};
    if (r.state.reg.current_role == Role::reviewer && chance(60)) {
      if (chance(70)) return ApproveTask{"by an agent?"};
      return ApproveFeature{"by an agent?"};
    }
    if (chance(3)) return SetAutopilot{Autopilot::full};
    if (chance(30)) r.git.dirty = {"src/a.cc"};
    return handoff();
  }
  Done agent_step() {
    const Seq turn = chance(80) ? Seq::none : chance(80) ? r.state.turn : Seq{1};
    return r.as(agent(), agent_command(), turn);
  }

  Done report() {
    const int n = r.state.last_landing - at_most(1);
    const Landing* landing = r.state.landing(n);
    const bool merging = landing != nullptr && landing->stage == Stage::merge_checks;
    const CommitId commit = merging              ? landing->merged
                            : landing != nullptr ? landing->commit
                                                 : CommitId("x");
    switch (at_most(12)) {
      case 10: return r.orchestrator(ReportKept{{n, chance(50) ? "" : "gone"}});
      case 0: return r.orchestrator(ReportPrepared{{n, r.git.make(kRoadmap), ""}});
      case 1:
        return r.orchestrator(ReportChecks{n, commit, chance(50), "x\x1b\n```", {"a\nb", "ok"}});
      case 2:
        return r.orchestrator(
            ReportMerge{n, CommitId("o"), r.git.make(kRoadmap), {}, TreeId(chance(50) ? "t" : "")});
      case 3: return r.orchestrator(BeginPull{n});
      case 4: return r.orchestrator(ReportPull{n, "", "no\x07"});
      case 5:
        return r.orchestrator(
            ReportLandingTrouble{n, static_cast<Stage>(at_most(10)), "disk full"});
      case 6:
        return r.orchestrator(ReportBranch{r.state.branch ? r.state.branch->name : "x", "no"});
      case 7: return r.orchestrator(ReportRunEnded{r.state.last_run, at_most(1), chance(20)});
      case 8: return r.orchestrator(ReportWritten{std::string(kRegisterFile), Hash("x")});
      case 9: return r.orchestrator(ReportSummary{n});
      default: return r.orchestrator(CheckDocuments{});
    }
  }

  void edit() {
    if (!r.files.contains(std::string(kRegisterFile))) return;
    auto reg = document::read_register(r.register_text()).value_or(r.state.reg);
    switch (at_most(8)) {
      case 0: reg.current_role = some_role(); break;
      case 1: reg.state = static_cast<Lifecycle>(at_most(4)); break;
      case 2: reg.msg = chance(80) ? "edited" : std::string(300, 'x'); break;
      case 3: reg.autopilot = static_cast<Autopilot>(at_most(2)); break;
      case 4: reg.foreign.push_back({"msg", fmt::format("key{}", at_most(99)), "[1]"}); break;
      case 5: reg.plan_slug.reset(), reg.branch.reset(); break;
      case 6: reg.plan_slug = "search", reg.branch = "feat/F002-search"; break;
      case 7: r.files[std::string(kRoadmapFile)] = chance(50) ? kRoadmap : "broken"; return;
      default:
        if (chance(50))
          r.files.erase(std::string(kRegisterFile));
        else
          r.register_text() = "{ not json";
        return;
    }
    r.register_text() = document::render_register(reg);
  }

  Done human_step() {
    // People mend what they broke.
    if (r.state.problems_of(kRegisterFile) != nullptr || chance(10))
      r.register_text() = document::render_register(r.state.reg);
    if (chance(20)) r.files[std::string(kRoadmapFile)] = kRoadmap;
    switch (at_most(12)) {
      case 12: r.claimed.holder = chance(30) ? "plan login works" : ""; return r.human(Release{});
      case 0: return r.human(autopilot());
      case 7:
      case 8: return r.human(Rework{feature(), note(), chance(30) ? "T01" : ""});
      case 1: return r.human(Automate{fmt::format("run-{}", at_most(9))});
      case 2: return r.human(StopAutomation{"x"});
      case 3: return r.human(Decline{chance(50) ? "F001" : "", note()});
      case 4: return r.human(ApproveTask{});
      case 5: return r.human(ApproveFeature{});
      case 6: return r.human(Start{});
      default: return r.human(handoff());
    }
  }

  std::mt19937 dice_;
};

}  // namespace pf::role::testing
