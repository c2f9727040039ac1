#pragma once
// Random commands for the properties: of agents, the user, the orchestrator and people who edit
// plan.md, sensible ones more often than wild ones, so that a run gets far.
#include <random>

#include "base/seeds.h"
#include "plan/domain/testing.h"

namespace pf::plan::testing {

using pf::testing::any_seed;
using pf::testing::known_seeds;

class RandomRun {
 public:
  Plan p;

  explicit RandomRun(unsigned seed) : dice_(seed) {
    Policy policy = test_policy();
    policy.max_change_requests = at_most(3);
    if (chance(30)) policy.step_time_budget_minutes = 10;
    if (chance(30)) policy.explain = kCodex;
    if (chance(20)) policy.reviewer = kClaude;
    p.plan_text = plan_of(1 + at_most(3), frontmatter());
    must(p.human(Open{policy}).ok(), "open");
  }

  Done step() {
    if (chance(60)) p.settle();
    p.clock_ms += at_most(100'000);
    p.on_step = std::chrono::minutes(at_most(11));
    const int kind = at_most(99);
    if (kind < 55) return agent_step();
    if (kind < 75) return orchestrator_step();
    if (kind < 82) edit();
    return human_step();
  }

  int at_most(int n) { return std::uniform_int_distribution<int>(0, n)(dice_); }
  bool chance(int percent) { return at_most(99) < percent; }

 private:
  std::string frontmatter() {
    switch (at_most(5)) {
      case 0: return "";
      case 1: return "active_step: 1\n";
      case 2: return "# note\nstep_status:\n  1: pending\nactive_step: 1\n";
      case 3: return "step_status: {1: done}\n";
      default: return "active_step: \"1\" # here\nother: [x]\n";
    }
  }
  int some_run() {
    if (chance(88)) return p.state.run;
    return at_most(p.state.last_run + 1);
  }
  AgentName agent_of(int run) {
    const Run* known = p.state.run_of(run);
    return known != nullptr && chance(97) ? known->agent : chance(50) ? kClaude : kCodex;
  }

  Done agent_step() {
    const int run = some_run();
    const AgentName agent = agent_of(run);
    const Run* known = p.state.run_of(run);
    const bool coder = known != nullptr ? known->role == Role::coder : chance(50);
    const Seq turn = chance(80) ? Seq::none : chance(80) ? p.state.turn : Seq{2};
    if (chance(10)) return p.as(agent, AskUser{run, "what\x07?"}, turn);
    if (coder != chance(3))
      return p.as(agent, RequestReview{run, chance(30) ? "note\"" : ""}, turn);
    if (chance(45)) return p.as(agent, RequestChanges{run, chance(95) ? "no\nway" : ""}, turn);
    return p.as(agent, Approve{run}, turn);
  }

  Done orchestrator_step() {
    const int run = some_run();
    switch (at_most(7)) {
      case 0: return p.orchestrator(CheckBudget{});
      case 1: return p.orchestrator(CheckDocuments{});
      case 2: return p.orchestrator(ReportRunStarted{run, chance(70) ? "talk" : "", "runs/x"});
      case 3: return p.orchestrator(ReportRunEnded{run, chance(80) ? 0 : 1, chance(20), "end\x1b"});
      case 4:
        return p.orchestrator(ReportRunParked{run, p.state.halt ? p.state.halt->id : MessageId()});
      case 5: return p.orchestrator(ReportTool{run, "edit", "x", true});
      case 6:
        return chance(30) ? p.orchestrator(ReportError{"net", chance(50) ? run : 0})
                          : p.orchestrator(CheckDocuments{});
      default:
        return p.orchestrator(ReportWritten{p.state.write ? p.state.write->after : Hash("no")});
    }
  }

  void edit() {
    const auto steps = static_cast<int>(p.state.steps.size());
    switch (at_most(5)) {
      case 0: p.plan_text += fmt::format("## Step {}: part {}\n", steps + 1, steps + 1); break;
      case 1:
        p.plan_text = plan_of(steps, fmt::format("active_step: {}\n", 1 + at_most(steps)));
        break;
      case 2: p.plan_text = "---\nactive_step: 1\n"; break;
      case 3: p.plan_text = plan_of(1 + at_most(3), frontmatter()); break;
      case 4: p.spec_text = chance(50) ? "# T\n\nx\n" : "no title\n"; break;
      default: p.plan_text += "text\n"; break;
    }
  }

  Done human_step() {
    switch (at_most(15)) {
      case 15: return p.human(RemoveNote{at_most(p.state.last_user_note + 1)});
      case 14: return p.human(Merge{TreeId(chance(50) ? "merged" : ""), chance(30) ? "so" : ""});
      case 13: return p.human(Land{chance(30), chance(70)});
      case 12: p.claimed.holder = chance(30) ? "the roles work" : ""; return p.human(Release{});
      case 0: return p.human(Pause{});
      case 1: return p.human(Resume{});
      case 2: return p.human(ResetGuard{});
      case 3: return chance(30) ? p.human(Reset{}) : p.human(Resume{});
      case 4: return p.human(Force{static_cast<Role>(at_most(2)), chance(50) ? "do" : ""});
      default: return p.human(Reply{chance(90) ? "word" : ""});
    }
  }

  std::mt19937 dice_;
};

}  // namespace pf::plan::testing
