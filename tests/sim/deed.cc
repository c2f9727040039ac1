#include "deed.h"

#include <fmt/format.h>

#include <algorithm>

#include "bubble/domain/evidence.h"

namespace pf::sim {
namespace {

using namespace bubble;

const Principal kHuman{PrincipalKind::human};
const Principal kOrchestrator{PrincipalKind::orchestrator};
Principal agent(const AgentName& name) { return {PrincipalKind::agent, name}; }

Deed deed(std::string what, int number, const Principal& who, Seq turn, bubble::Command command) {
  return {Deed::Kind::execute,
          {RequestId(fmt::format("r{}", number)), who, turn},
          std::move(command),
          std::move(what)};
}

struct Chooser {
  Dice& dice;
  const State& state;
  World& world;
  int number;

  Deed by_agent(std::string what, const AgentName& name, bubble::Command command) {
    const Seq turn = dice.one_in(8) ? Seq::none : state.turn;
    return deed(std::move(what), number, agent(name), turn, std::move(command));
  }
  Deed by_human(std::string what, bubble::Command command) {
    const Seq turn = dice.one_in(2) ? Seq::none : state.turn;
    return deed(std::move(what), number, kHuman, turn, std::move(command));
  }
  Deed report(std::string what, bubble::Command command) {
    return deed(std::move(what), number, kOrchestrator, Seq::none, std::move(command));
  }

  AgentName any_agent() {
    return dice.one_in(20) ? AgentName("mallory") : dice.one_in(2) ? kCodex : kClaude;
  }
  Hash profile() const { return profile_hash(state.policy.profile); }
  TreeId target() const { return state.target.value_or(World::tree_id(0)); }
  std::string text(std::string_view word) { return fmt::format("{} {}", word, number); }
  void edit() { world.tree = number; }
  // Puts the worktree back to what is under review.
  void restore() {
    const std::string name = target().str();
    world.tree = std::stoi(name.substr(name.find('-') + 1));
  }

  std::optional<PackageBrought> package(std::size_t percent) {
    if (dice.below(100) >= percent) return std::nullopt;
    PackageBrought brought = all_parts();
    if (dice.one_in(5)) brought.parts.pop_back();
    return brought;
  }
  Pass implement() {
    Pass pass{text("made"), {}, {}, {}, {}, package(30)};
    for (const Finding& finding : state.findings) {
      if (!finding.unsettled() || !dice.one_in(2)) continue;
      if (dice.one_in(4) && !finding.confirmed && finding.source != "orchestrator")
        pass.claims.disputed.push_back({finding.id, "not so"});
      else
        pass.claims.fixed.push_back(finding.id);
    }
    return pass;
  }
  Pass review(bool clean) {
    Pass pass{text("seen"), {}, {}, {}, {}};
    pass.review.no_findings = clean;
    if (clean) return pass;
    for (const Finding& finding : state.findings)
      if (finding.unsettled()) pass.review.findings.push_back({finding.id, {}, {}, {}, 0});
    if (pass.review.findings.empty() || dice.one_in(4))
      pass.review.findings.push_back(
          {{}, dice.one_in(3) ? Severity::p2 : Severity::p1, text("bad"), "src/a.cc", 1});
    return pass;
  }
  Deed active_agent() {
    const AgentName& name = *state.active_agent;
    if (dice.one_in(10)) return by_agent("ask-human", name, AskHuman{text("why?")});
    if (state.active_role == Role::implementer) {
      if (!dice.one_in(8)) edit();
      return by_agent("pass (implementer)", name, implement());
    }
    if (!dice.one_in(8)) restore();
    const bool other_is_clean = std::ranges::any_of(
        state.clean, [&](const CleanVerdict& v) { return v.agent != name && v.tree == target(); });
    if (dice.one_in(other_is_clean ? 2 : 12))
      return by_agent("converged", name, Converge{text("agreed"), package(90)});
    return by_agent("pass (reviewer)", name, review(!dice.one_in(3)));
  }
  Deed answer() {
    if (dice.one_in(3) || state.questions.empty()) return by_human("resume", Resume{});
    const bool decides = is_decision(state.questions.front().kind);
    Reply reply{text("do"), ReplyDecision::none, 2, {}};
    if (decides) reply.decision = dice.one_in(2) ? ReplyDecision::accept : ReplyDecision::go_on;
    return by_human("reply", std::move(reply));
  }
  Deed decide_ready() {
    if (dice.one_in(4)) return by_human("rework", Rework{text("no"), dice.one_in(2), {}});
    if (!dice.one_in(5)) restore();
    return by_human("approve", Approve{});
  }
  Deed decide_approved() {
    if (state.commit)
      return dice.one_in(4) ? report("abandon commit", AbandonCommit{"moved"})
                            : report("branch moved", ReportMoved{});
    if (dice.one_in(6)) return by_human("rework", Rework{text("no"), false, {}});
    if (!dice.one_in(5)) restore();
    return by_human("commit", Commit{text("commit"), false, ""});
  }
  Deed after_all() {
    if (!state.closed) return report("close", ReportClosed{});
    if (!state.merge) return by_human("merge", Merge{});
    return dice.one_in(4) ? report("abandon merge", AbandonMerge{"moved"})
                          : report("merged", ReportMerged{CommitId("merge")});
  }
  // The supervisor's own run, as `outstanding` asks for it.
  Deed run_of_checks() {
    const auto status = dice.one_in(4)   ? EvidenceStatus::red
                        : dice.one_in(6) ? EvidenceStatus::void_
                                         : EvidenceStatus::green;
    ReportEvidence evidence{target(), status, "make", {}, profile()};
    evidence.checks = {{"test", "make", status == EvidenceStatus::green ? 0 : 2, 7, false}};
    evidence.log = "round-001.tests.txt";
    const auto due = due_run(state);
    evidence.cold = due && due->cold;
    return report("checks ran", std::move(evidence));
  }
  Deed fitting() {
    if (wants_checks(state) && !dice.one_in(3)) return run_of_checks();
    switch (state.phase) {
      case Phase::none:
      case Phase::created:
      case Phase::preparing: return *first_deed(state, world, number);
      case Phase::running: return active_agent();
      case Phase::waiting: return answer();
      case Phase::ready: return decide_ready();
      case Phase::approved: return decide_approved();
      case Phase::committed: return report("package", ReportPackage{});
      case Phase::done: return after_all();
      default: return report("close", ReportClosed{{{"refs/salvage"}}});
    }
  }

  Deed orchestrators() {
    const AgentName name = any_agent();
    const Agent* seen = state.agent(name);
    switch (dice.below(7)) {
      case 0: return report("look at tree", CheckTree{});
      case 1: return report("watchdog", CheckIdle{});
      case 2: return report("agent exited", ReportExit{name, "code 1"});
      case 3:
        return report("launched", ReportLaunch{name, Role::reviewer,
                                               seen ? seen->wanted : Seq::none, "%1", "k"});
      case 4:
        return report("evidence red",
                      ReportEvidence{target(), EvidenceStatus::red, "make", {}, profile()});
      case 5:
        return report("evidence", ReportEvidence{World::tree_id(static_cast<int>(dice.below(9))),
                                                 EvidenceStatus::void_,
                                                 "make",
                                                 {"out"},
                                                 profile()});
      default:
        return report("evidence green",
                      ReportEvidence{target(), EvidenceStatus::green, "make", {}, profile()});
    }
  }
  // Not what the state asks for, by whoever.
  Deed odd() {
    const AgentName name = any_agent();
    const FindingId finding =
        state.findings.empty() ? FindingId("F9.9") : dice.pick(state.findings).id;
    switch (dice.below(17)) {
      case 0: return by_agent("odd pass", name, review(true));
      case 1: return by_agent("odd pass", name, implement());
      case 2: return by_agent("odd converged", name, Converge{"we agree", package(50)});
      case 3: return by_agent("odd ask-human", name, AskHuman{text("who?")});
      case 4: return by_agent("approve by an agent", name, Approve{});
      case 5: return by_human("waive", Waive{finding, "fine"});
      case 6: return by_human("replan", Replan{text("task")});
      case 7: return by_human("resume", Resume{});
      case 8: return by_human("approve", Approve{World::tree_id(world.tree)});
      case 9: return by_human("pass by the human", review(true));
      case 10: {
        Pass both = review(false);
        both.review.no_findings = true;
        return by_agent("pass with both", name, std::move(both));
      }
      case 11: return by_agent("bad text", name, AskHuman{"\xff\xfe"});
      case 12: return by_human("start", Start{});
      case 13: return by_human("rerun", RerunChecks{});
      case 14: return by_human("profile", ChangeProfile{{{{"test", text("make")}}, "", ""}});
      default:
        if (dice.one_in(6)) return by_human("stop", Stop{"enough"});
        return by_human("reply", Reply{text("so"), ReplyDecision::go_on, 2, {}});
    }
  }
};

}  // namespace

PackageBrought all_parts() {
  PackageBrought brought{Hash("package"), {}};
  for (const auto& [part, name] : names_of(Part{})) brought.parts.push_back(part);
  return brought;
}

std::optional<Deed> first_deed(const bubble::State& state, const World& world, int number) {
  Create create;
  create.policy.roles = {kCodex, kClaude};
  create.policy.max_rounds = 3;
  create.policy.risk_words = {"race"};
  if (world.checks)
    create.policy.profile.checks = {{"test", "make"}}, create.policy.final_cold = true;
  else
    create.policy.profile.not_available = "no tests";
  create.place = {"main",       "b_sim",          WorkMode::worktree,
                  "/repo/tree", CommitId("base"), World::tree_id(0)};
  create.task = "do it";
  switch (state.phase) {
    case Phase::none: return deed("create", number, kHuman, Seq::none, std::move(create));
    case Phase::created: return deed("start", number, kHuman, Seq::none, Start{});
    case Phase::preparing:
      return deed("prepared", number, kOrchestrator, Seq::none, ReportPrepared{Hash("g")});
    default: return std::nullopt;
  }
}

Deed choose_deed(Dice& dice, const bubble::State& state, World& world, int number) {
  Chooser chooser{dice, state, world, number};
  if (dice.one_in(7)) return {Deed::Kind::read, {}, {}, "read"};
  if (dice.one_in(60)) return {Deed::Kind::repair, {}, {}, "repair"};
  if (dice.one_in(7)) return chooser.orchestrators();
  if (dice.one_in(6)) return chooser.odd();
  return chooser.fitting();
}

std::optional<Deed> winning_deed(Dice& dice, const bubble::State& state, World& world, int number) {
  Chooser chooser{dice, state, world, number};
  if (state.phase == Phase::running && state.active_role == Role::implementer) {
    chooser.edit();
    return deed("race: pass (implementer)", number, agent(*state.active_agent), state.turn,
                chooser.implement());
  }
  if (state.phase == Phase::running) {
    chooser.restore();
    return deed("race: pass (reviewer)", number, agent(*state.active_agent), state.turn,
                chooser.review(false));
  }
  if (state.phase == Phase::waiting && !is_decision(state.questions.front().kind))
    return deed("race: reply", number, kHuman, state.turn,
                Reply{"go on", ReplyDecision::none, 2, state.questions.front().id});
  if (state.phase == Phase::ready) {
    chooser.restore();
    return deed("race: rework", number, kHuman, state.turn, Rework{"no", false, {}});
  }
  return std::nullopt;
}

}  // namespace pf::sim
