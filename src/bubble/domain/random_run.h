#pragma once
// Random commands for the properties: of agents, the human and the orchestrator, sensible ones more
// often than wild ones, so that a run gets far.
#include <random>

#include "base/seeds.h"
#include "bubble/domain/testing.h"

namespace pf::bubble::testing {

using pf::testing::any_seed;
using pf::testing::known_seeds;

class RandomRun {
 public:
  Bubble b;
  bool by_human = false;  // the last step was a human verb

  explicit RandomRun(unsigned seed) : dice_(seed) {
    Policy policy = test_policy();
    policy.max_rounds = 1 + at_most(3);
    policy.fresh_reviewer = chance(50);
    if (chance(50)) policy.scope_allow = {"src/**"};
    if (chance(50)) policy.profile = {{{"test", "make"}}, "", ""};
    policy.final_cold = chance(50);
    if (chance(20)) policy.profile.manual_checks = "- look\n- listen\n";
    must(b.human(create_with(policy)).ok(), "create");
    b.human(Start{});
    if (chance(20)) b.orchestrator(ReportSetupFailed{"npm"}), b.human(Start{});
    b.orchestrator(ReportPrepared{Hash("g")});
  }

  // One step; returns what came of it.
  Done step() {
    by_human = false;
    b.idle = std::chrono::minutes(at_most(9));
    b.dead = {};
    for (const AgentName& agent : {kCodex, kClaude})
      if (chance(10)) b.dead.push_back(agent);
    const int kind = at_most(99);
    if (kind < 55) return agent_step();
    if (kind < 70) return orchestrator_step();
    by_human = true;
    return human_step();
  }

  int at_most(int n) { return std::uniform_int_distribution<int>(0, n)(dice_); }
  bool chance(int percent) { return at_most(99) < percent; }

 private:
  AgentName some_agent() {
    if (b.state.active_agent && chance(85)) return *b.state.active_agent;
    return chance(50) ? kCodex : kClaude;
  }
  FindingId some_finding() {
    if (b.state.findings.empty() || chance(5)) return FindingId(fmt::format("F{}.1", at_most(9)));
    return b.state
        .findings[static_cast<std::size_t>(at_most(static_cast<int>(b.state.findings.size()) - 1))]
        .id;
  }
  Reported some_report() {
    Reported r;
    if (chance(30)) {
      r.repeat = some_finding();
      return r;
    }
    r.severity = static_cast<Severity>(at_most(3));
    r.title = fmt::format("title {}{}", at_most(4), chance(10) ? " race \xc3\xa4\"\\\n\x1b" : "");
    if (chance(20)) r.path = "src/auth/a.cc", r.line = at_most(9);
    return r;
  }

  Review some_review() {
    Review review;
    if (chance(60)) {
      review.no_findings = true;
      if (chance(95)) return review;
    }
    for (int i = at_most(2); i >= 0; --i) review.findings.push_back(some_report());
    for (const Finding& f : b.state.findings)  // mostly accounts for what it has to
      if (f.unsettled() && f.serious() && chance(90)) {
        Reported again;
        again.repeat = f.id;
        if (chance(50))
          review.findings.push_back(again);
        else
          review.resolved.push_back(f.id);
      }
    return review;
  }
  Claims some_claims() {
    Claims claims;
    for (const Finding& f : b.state.findings)
      if (f.unsettled()) {
        if (chance(40))
          claims.fixed.push_back(f.id);
        else if (chance(40))
          claims.disputed.push_back({f.id, "no\nreally"});
      }
    if (chance(3)) claims.fixed.push_back(some_finding());
    return claims;
  }

  std::optional<PackageBrought> some_package(int percent) {
    if (!chance(percent)) return std::nullopt;
    PackageBrought brought = all_parts();
    brought.blob = Hash(fmt::format("package-{}", at_most(99)));
    while (chance(30) && !brought.parts.empty()) brought.parts.pop_back();
    return brought;
  }

  Done agent_step() {
    const AgentName agent = some_agent();
    const bool implements = b.state.role_of(agent) == Role::implementer;
    if (chance(implements ? 70 : 4)) b.worktree.tree = tree(at_most(4));
    if (b.state.target && chance(80)) b.shown = *b.state.target;
    b.worktree.changed = {{chance(90) ? "src/a.cc" : "Makefile", "M", 1, 1, ""}};
    const int kind = at_most(99);
    const Seq turn = chance(70) ? Seq::none : chance(90) ? b.state.turn : Seq{2};
    if (chance(5)) return b.as(agent, EndTurn{"so\x07 long"}, turn);
    if (kind < 6) return b.as(agent, AskHuman{"what\x07?"}, turn);
    if (kind < (implements ? 8 : 35)) return b.as(agent, Converge{"done", some_package(70)}, turn);
    Pass pass;
    pass.summary = "sum\"mary";
    if (chance(5)) pass.intent = chance(50) ? Intent::task : Intent::fix_request;
    pass.package = some_package(20);
    if (implements ? chance(97) : chance(2)) pass.claims = some_claims();
    if (implements ? chance(2) : chance(98)) pass.review = some_review();
    return b.as(agent, pass, turn);
  }

  Done orchestrator_step() {
    if (b.state.sync && chance(50)) return end_sync();
    const AgentName agent = chance(50) ? kCodex : kClaude;
    const Agent& known = *b.state.agent(agent);
    switch (at_most(15)) {
      case 15: return end_sync();
      case 0: return b.orchestrator(CheckIdle{});
      case 12: {
        const Seq cause = known.deliveries.empty() ? Seq{3} : known.deliveries.back().cause;
        return b.orchestrator(ReportPrompt{agent, cause, chance(70) ? "talk" : ""});
      }
      case 13:
        return b.orchestrator(ReportHindrance{agent, static_cast<Obstacle>(at_most(2)), "held\x07",
                                              chance(50) ? "2026-11-15T15:00:00Z" : ""});
      case 14: return b.orchestrator(ReportFreed{agent, chance(50)});
      case 1: return b.orchestrator(ReportExit{agent, "exit 1"});
      case 2:
      case 3: {
        ReportLaunch launch{agent, known.launch_role, chance(80) ? known.wanted : Seq{1}, "%1",
                            "k"};
        launch.confirms = chance(50);
        launch.apart = known.launch_role == Role::reviewer && chance(50);
        if (launch.apart || chance(50)) launch.enforcement = "sandbox";
        if (chance(50)) launch.conversation = "talk";
        return b.orchestrator(launch);
      }
      case 4:
      case 5: {
        const TreeId about = b.state.target && chance(80) ? *b.state.target : tree(at_most(4));
        const auto status = static_cast<EvidenceStatus>(at_most(4));
        const Hash profile = chance(80) ? profile_hash(b.state.policy.profile) : Hash("other");
        ReportEvidence evidence{about, status, "make", {"x"}, profile};
        evidence.cold = chance(60);
        return b.orchestrator(evidence);
      }
      case 6: return b.orchestrator(ReportMoved{});
      case 7:
        return chance(90) ? b.orchestrator(ReportPackage{}) : b.orchestrator(AbandonCommit{"tip"});
      case 10:
        return chance(80) ? b.orchestrator(ReportMerged{CommitId("merge")})
                          : b.orchestrator(AbandonMerge{"moved"});
      case 8: return b.orchestrator(ReportClosed{{{"refs/x"}}});
      case 9:
        return chance(2) ? b.orchestrator(ReportFailed{"gone"}) : b.orchestrator(ReportMoved{});
      default: return b.orchestrator(CheckTree{});
    }
  }

  // The base has moved, to a tree that nobody has seen.
  Done begin_sync() {
    b.sync = {CommitId(fmt::format("base-{}", ++bases_)), tree(100 + bases_), at_most(2)};
    b.sync.tip = b.worktree.tip;
    b.sync.files = b.worktree.tree;
    b.sync.merged = tree(20 + at_most(4));
    if (b.state.target) b.sync.target = tree(20 + at_most(4));
    if (chance(40)) b.sync.conflicts = {"src/a.cc"};
    return b.human(Sync{});
  }
  Done end_sync() {
    if (!b.state.sync || chance(20)) return b.orchestrator(AbandonSync{"edited\x07"});
    b.worktree.tree = b.state.sync->merged;
    b.worktree.base_tree = b.state.sync->onto_tree;
    b.worktree.tip = b.state.sync->onto;
    return b.orchestrator(ReportSynced{});
  }

  Done human_step() {
    if (b.state.converged_tree && chance(80)) b.worktree.tree = *b.state.converged_tree;
    std::vector<std::size_t> gone_through = {1, 2};
    if (b.state.policy.profile.manual_checks.empty()) gone_through.clear();
    if (chance(10) && !gone_through.empty()) gone_through.pop_back();
    if (b.state.phase == Phase::approved && chance(30))
      return b.human(Commit{"m", false, "agreed"});
    switch (at_most(16)) {
      case 16: return chance(10) ? begin_sync() : b.human(Approve{{}, gone_through});
      case 13: return b.human(RerunChecks{});
      case 14:
        if (!chance(10)) return b.human(RerunChecks{});
        return b.human(ChangeProfile{{{{"test", "make check"}}, "", ""}});
      case 15:
        b.merge.contains = chance(5);
        b.merge.dirty = chance(10) ? std::vector<std::string>{"a"} : std::vector<std::string>{};
        b.merge.tree = chance(50) ? TreeId() : tree(at_most(4));
        return b.human(Merge{chance(20) ? "in a hurry" : ""});
      case 0: return b.human(Resume{});
      case 1: return b.human(Replan{fmt::format("task {}", at_most(2))});
      case 2: return b.human(Waive{some_finding(), "known"});
      case 3:
      case 4: return b.human(Approve{{}, gone_through});
      case 5: {
        Rework rework{chance(80) ? "more" : "", chance(50), {}};
        if (chance(50)) rework.findings.push_back(some_report());
        return b.human(rework);
      }
      case 6:
      case 7: return b.human(Commit{"m", chance(50), chance(70) ? "agreed" : ""});
      case 8: return chance(3) ? b.human(Stop{}) : b.human(Approve{{}, gone_through});
      default: {
        Reply reply{"word", static_cast<ReplyDecision>(at_most(2)), at_most(3), {}};
        if (!b.state.questions.empty() && chance(20)) reply.question = b.state.questions.back().id;
        return b.human(reply);
      }
    }
  }

  std::mt19937 dice_;
  int bases_ = 0;
};

}  // namespace pf::bubble::testing
