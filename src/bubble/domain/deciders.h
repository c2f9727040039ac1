#pragma once
// What the parts of decide.cc share; nothing outside the deciders includes this.
#include "base/deciding.h"
#include "bubble/domain/decide.h"

namespace pf::bubble {

using Outcome = Decision<Event>;
using Asking = pf::Asking<State, Event>;

inline Outcome nothing() { return std::vector<Event>{}; }

// The tree fact is missing, or `cold` is asked for and it is not.
inline bool lacks_tree(const Facts& facts, bool cold) {
  return !facts.tree || (cold && !facts.cold);
}

// The standing now, to be changed in the parts that change.
Standing standing(const State& state);
// RUNNING with the agent of `role` active.
Standing on_turn(const State& state, Role role);
// A new round for the implementer, with a fresh allowance of rounds (rework, replan).
Standing new_allowance(const State& state);
// Findings go back: roles stay, the implementer's turn, next round.
Standing back_to_implementer(const State& state);
// The same tree goes to the other model as reviewer: roles swap, next round.
Standing on_to_other_reviewer(const State& state);
// No agent active: READY, APPROVED, …
Standing without_agent(const State& state, Phase phase);
// WAITING_HUMAN, the active agent kept.
Standing parked(const State& state);

// An event with `then`, that tells and relaunches the agent on turn then.
Event handed(const State& state, Event event, Standing then);

// Starts dead agents again, each in its conversation unless its role is another now.
void revive(const State& state, Event& event, std::vector<AgentName> dead);

// Whether an agent has a clean verdict on the tree under review.
bool has_clean_verdict(const State& state, const AgentName& agent);

// A question of our own that stops the agents.
Event parking_question(const Asking& asking, Asked asked);
inline constexpr std::size_t kPathsNamed = 20;  // in a refusal
// ": a.cc, b.cc and 3 more", the paths in which the tree is not the one that was judged.
std::string differing(const TreeFact& tree);
ChangeStats stats_of(const std::vector<ChangedFile>& changed);
// Paths outside [scope]: not allowed, or denied.
std::vector<std::string> out_of_scope(const Policy& policy,
                                      const std::vector<ChangedFile>& changed);
// Why a human verb is refused in a final state, if it is one.
std::optional<Rejection> refused_when_final(const State& state);

// Why a human verb about a tree is refused while that is being committed, or changed by a sync.
std::optional<Rejection> refused_while_committing(const State& state);
std::optional<Rejection> refused_while_syncing(const State& state);
// A finding about the files that hold marks of a conflict with the base.
std::vector<Finding> conflict_findings(const Ledger& ledger, const std::string& branch,
                                       const std::vector<std::string>& paths, int round);

// Whether this agent's verb may be looked at in this state, and if not why.
std::optional<Rejection> agent_refused(const Asking& asking, std::string_view verb);
// The evidence finding once `target` is to be reviewed: by what is known of that tree already, else
// claimed until its run is over.
std::vector<Finding> evidence_of_new_target(const State& state, const Ledger& ledger,
                                            const TreeId& target);
// What convergence still lacks of the checks, for the agent that asked.
std::optional<std::string> unmet_evidence(const State& state);

// What each command comes to.
Outcome handle(const Asking& asking, const Create& c);
Outcome handle(const Asking& asking, const AdoptConfig& c);
Outcome handle(const Asking& asking, const Start& c);
Outcome handle(const Asking& asking, const ReportPrepared& c);
Outcome handle(const Asking& asking, const ReportSetupFailed& c);
Outcome handle(const Asking& asking, const ReportFailed& c);
Outcome handle(const Asking& asking, const Pass& c);
Outcome handle(const Asking& asking, const AskHuman& c);
Outcome handle(const Asking& asking, const Converge& c);
Outcome handle(const Asking& asking, const EndTurn& c);
Outcome handle(const Asking& asking, const CheckTree& c);
Outcome handle(const Asking& asking, const CheckIdle& c);
Outcome handle(const Asking& asking, const ReportExit& c);
Outcome handle(const Asking& asking, const ReportLaunch& c);
Outcome handle(const Asking& asking, const ReportPrompt& c);
Outcome handle(const Asking& asking, const ReportHindrance& c);
Outcome handle(const Asking& asking, const ReportFreed& c);
Outcome handle(const Asking& asking, const ReportEvidence& c);
Outcome handle(const Asking& asking, const RerunChecks& c);
Outcome handle(const Asking& asking, const ChangeProfile& c);
Outcome handle(const Asking& asking, const Reply& c);
Outcome handle(const Asking& asking, const Resume& c);
Outcome handle(const Asking& asking, const Replan& c);
Outcome handle(const Asking& asking, const Waive& c);
Outcome handle(const Asking& asking, const Approve& c);
Outcome handle(const Asking& asking, const Rework& c);
Outcome handle(const Asking& asking, const Commit& c);
Outcome handle(const Asking& asking, const ReportMoved& c);
Outcome handle(const Asking& asking, const AbandonCommit& c);
Outcome handle(const Asking& asking, const ReportPackage& c);
Outcome handle(const Asking& asking, const Merge& c);
Outcome handle(const Asking& asking, const ReportMerged& c);
Outcome handle(const Asking& asking, const AbandonMerge& c);
Outcome handle(const Asking& asking, const Sync& c);
Outcome handle(const Asking& asking, const ReportSynced& c);
Outcome handle(const Asking& asking, const AbandonSync& c);
Outcome handle(const Asking& asking, const Stop& c);
Outcome handle(const Asking& asking, const ReportClosed& c);

}  // namespace pf::bubble
