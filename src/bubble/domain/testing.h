#pragma once
// A bubble without a world.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/decided_loop.h"
#include "bubble/domain/decide.h"
#include "bubble/domain/evidence.h"

namespace pf::bubble::testing {

inline const AgentName kCodex("codex");
inline const AgentName kClaude("claude");

inline TreeId tree(int n) { return TreeId(fmt::format("tree-{}", n)); }
inline constexpr int kBase = 0;  // tree(kBase) is the base commit's

using pf::testing::must;

inline Policy test_policy() {
  Policy policy;
  policy.roles = {kCodex, kClaude};
  policy.max_rounds = 3;
  policy.risk_words = {"security", "race", "data loss"};
  policy.risk_paths = {"**/auth/**", "**/*.sql"};
  policy.profile.not_available = "no tests here";
  policy.checks_at = ChecksAt::own;
  return policy;
}

// A whole approval package, by its name alone.
inline PackageBrought all_parts() {
  PackageBrought brought{Hash("package"), {}};
  for (const auto& [part, name] : names_of(Part{})) brought.parts.push_back(part);
  return brought;
}
inline Converge agreed(std::string summary) { return {std::move(summary), all_parts()}; }

inline Create create_with(Policy policy) {
  return {std::move(policy),
          {"main", "bubble/b_test", WorkMode::worktree, "/w", CommitId("base"), tree(kBase)},
          "do it",
          Hash("c1")};
}

// "PASS codex>claude, HUMAN_QUESTION orchestrator>human"; LIFECYCLE events by their slug.
inline std::string envelopes(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : events) {
    const bool lifecycle = type_of(e.body) == "LIFECYCLE";
    out += fmt::format("{}{} {}>{}", out.empty() ? "" : ", ",
                       lifecycle ? tag_of(e.body).slug : type_of(e.body), e.sender, e.recipient);
  }
  return out;
}

// "RUNNING 1 codex/implementer", "READY_FOR_APPROVAL 2 -"
inline std::string where(const State& state) {
  const std::string active =
      state.active_agent && state.active_role
          ? fmt::format("{}/{}", state.active_agent->str(), name_of(*state.active_role))
          : "-";
  return fmt::format("{} {} {}", name_of(state.phase), state.round, active);
}

// "F1.1 P1 open codex, …"
inline std::string ledger_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& f : findings)
    out += fmt::format("{}{} {} {} {}", out.empty() ? "" : ", ", f.id.str(), name_of(f.severity),
                       name_of(f.status), f.source);
  return out;
}

inline std::string names(const std::vector<AgentName>& agents) {
  std::string out;
  for (const AgentName& agent : agents) out += (out.empty() ? "" : " ") + agent.str();
  return out;
}

class Bubble : public pf::testing::DecidedLoop<Bubble, State, Event, Command> {
 public:
  static constexpr std::string_view kId = "b_test";
  static constexpr std::array kPassing = {"last_seq",        "actions",  "agents",
                                          "last_command_at", "boot",     "mono_ms",
                                          "tree_suspect",    "requests", "last_mark"};
  TreeFact worktree{tree(kBase), tree(kBase), {}, CommitId("base")};
  TreeId shown = tree(kBase);  // in the reviewers' own checkout
  MergeFact merge{CommitId("base"), false, "", {}, {}};
  SyncFact sync{CommitId("base"), tree(kBase)};
  std::vector<AgentName> dead;
  Duration idle{}, turn_age{};
  WallTime wall = {};
  std::string seen;
  Done as(const AgentName& agent, const Command& command, Seq turn = Seq::none) {
    Done done = DecidedLoop::as(agent, command, turn);
    must(!done.warned || state.agent(agent) != nullptr, "a warning to nobody");
    return done;
  }
  Done implementer(const Command& command) { return as(state.roles.implementer, command); }
  Done reviewer(const Command& command) { return as(state.roles.reviewer, command); }
  // Created, prepared and RUNNING in round 1.
  static Bubble running(Policy policy = test_policy()) {
    Bubble bubble;
    must(bubble.human(create_with(std::move(policy))).ok(), "create");
    must(bubble.human(Start{}).ok(), "start");
    must(bubble.orchestrator(ReportPrepared{}).ok(), "prepared");
    return bubble;
  }
  // The implementer edits and passes.
  Done implement(int to, Claims claims = {}) {
    worktree.tree = tree(to);
    return implementer(Pass{"done", {}, {}, std::move(claims), {}});
  }
  Done review(const std::vector<std::string>& findings, std::vector<FindingId> resolved = {}) {
    return reviewer(Pass{"seen", {}, reported(findings, std::move(resolved)), {}, {}});
  }
  Done pass_clean() { return reviewer(Pass{"fine", {}, {{}, true, {}}, {}, {}}); }
  Done evidence(EvidenceStatus status, std::string what = "make") {
    return orchestrator(ReportEvidence{
        *state.target, status, std::move(what), {"out.txt"}, profile_hash(state.policy.profile)});
  }
  Done decides(ReplyDecision decision, int rounds = 2) {
    return human(Reply{"my word", decision, rounds, {}});
  }
  // READY_FOR_APPROVAL on tree(to).
  void converge_on(int to) {
    must(implement(to).ok() && pass_clean().ok(), "the first clean review");
    must(reviewer(agreed("both agree")).ok(), "converged");
  }

  static Review reported(const std::vector<std::string>& findings,
                         std::vector<FindingId> resolved = {}) {
    Review review;
    for (const std::string& text : findings) {
      auto parsed = parse_reported(text);
      must(parsed.has_value(), "not a finding: " + text);
      review.findings.push_back(std::move(*parsed));
    }
    review.resolved = std::move(resolved);
    return review;
  }
  static Claims disputes(const std::vector<std::string>& ids) {
    Claims claims;
    for (const std::string& id : ids) claims.disputed.push_back({FindingId(id), "no"});
    return claims;
  }

 private:
  friend DecidedLoop;
  static Result<Event> decode(const Line& line) { return bubble::decode(line); }
  void gather(Need need, const Command&, Facts& facts) const {
    if (need == Need::tree || need == Need::cold_tree) {
      facts.tree = worktree;
      facts.cold = need == Need::cold_tree;
    } else if (need == Need::shown_tree) {
      facts.tree = worktree;
      facts.tree->tree = shown;
      facts.cold = true;
    } else if (need == Need::idle) {
      facts.idle = IdleFact{idle, turn_age, wall, seen};
    } else if (need == Need::liveness) {
      facts.dead = dead;
    } else if (need == Need::merge) {
      facts.merge = merge;
      if (merge.tree.empty() && state.approved_tree) facts.merge->tree = *state.approved_tree;
    } else if (need == Need::sync) {
      facts.sync = sync;
    } else {
      facts.commit = CommitId("commit-of-" + worktree.tree.str());
    }
  }
};

using Done = Bubble::Done;

}  // namespace pf::bubble::testing

// It takes seconds to compile: once, in testing.cc.
extern template class pf::testing::DecidedLoop<pf::bubble::testing::Bubble, pf::bubble::State,
                                               pf::bubble::Event, pf::bubble::Command>;
