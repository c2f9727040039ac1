#pragma once
// What the parts of decide.cc share; nothing outside the deciders includes this.
#include "bubble/domain/decide.h"
#include "bubble/domain/handover.h"

namespace pf::bubble {

using Outcome = Decision<Event>;

struct Asking {
  const State& state;
  const Request& request;
  const Facts& facts;
};

inline Outcome refuse(std::string what, std::string why = {}, std::string fix = {}) {
  return Rejection{{Exit::refused, std::move(what), std::move(why), std::move(fix)}};
}
// A refused agent verb: one PROTOCOL_WARNING for each agent, verb, reason and turn.
inline Rejection warning(std::string reason, std::string what, std::string why = {},
                         std::string fix = {}) {
  return Rejection{
      {Exit::refused, std::move(what), std::move(why), std::move(fix)}, std::move(reason), true};
}
inline Outcome need(Need what) { return std::vector<Need>{what}; }

// The tree fact is missing, or `cold` is asked for and it is not.
inline bool lacks_tree(const Facts& facts, bool cold) {
  return !facts.tree || (cold && !facts.cold);
}

// A question of our own that stops the agents.
Event parking_question(const Asking& asking, QuestionKind kind, std::string text);
// ": a.cc, b.cc and 3 more", the paths in which the tree is not the one that was judged.
std::string differing(const TreeFact& tree);
Event make_event(const Asking& asking, std::string recipient, Body body);
// An event of our own, in the name of the orchestrator.
Event own_event(const Asking& asking, std::string recipient, Body body);
ChangeStats stats_of(const std::vector<ChangedFile>& changed);
// Paths outside [scope]: not allowed, or denied.
std::vector<std::string> out_of_scope(const Policy& policy,
                                      const std::vector<ChangedFile>& changed);
// Why a human verb is refused in a final state, if it is one.
std::optional<Rejection> refused_when_final(const State& state);

Outcome decide_pass(const Asking& asking, const Pass& pass);
Outcome decide_ask_human(const Asking& asking, const AskHuman& ask);
Outcome decide_converge(const Asking& asking, const Converge& converge);
Outcome decide_end_turn(const Asking& asking, const EndTurn& end);
// Whether this agent's verb may be looked at in this state, and if not why.
std::optional<Rejection> agent_refused(const Asking& asking, std::string_view verb);

Outcome decide_reply(const Asking& asking, const Reply& reply);
Outcome decide_resume(const Asking& asking);
Outcome decide_replan(const Asking& asking, const Replan& replan);
Outcome decide_waive(const Asking& asking, const Waive& waive);

Outcome decide_approve(const Asking& asking, const Approve& approve);
Outcome decide_rework(const Asking& asking, const Rework& rework);
Outcome decide_commit(const Asking& asking, const Commit& commit);
Outcome decide_merge(const Asking& asking);
Outcome decide_stop(const Asking& asking, const Stop& stop);

Outcome decide_rerun(const Asking& asking);
Outcome decide_profile(const Asking& asking, const ChangeProfile& change);
// The evidence finding once `target` is to be reviewed: by what is known of that tree already, else
// claimed until its run is over.
std::vector<Finding> evidence_of_new_target(const State& state, const Ledger& ledger,
                                            const TreeId& target);
// What convergence still lacks of the checks, for the agent that asked.
std::optional<std::string> unmet_evidence(const State& state);

Outcome decide_create(const Asking& asking, const Create& create);
Outcome decide_adopt(const Asking& asking, const AdoptConfig& adopt);
Outcome decide_start(const Asking& asking);

// The orchestrator's own reports.
Outcome record(const Asking& asking, const ReportPrepared& e);
Outcome record(const Asking& asking, const ReportSetupFailed& e);
Outcome record(const Asking& asking, const ReportFailed& e);
Outcome record(const Asking& asking, const CheckTree& e);
Outcome record(const Asking& asking, const CheckIdle& e);
Outcome record(const Asking& asking, const ReportExit& e);
Outcome record(const Asking& asking, const ReportLaunch& e);
Outcome record(const Asking& asking, const ReportPrompt& e);
Outcome record(const Asking& asking, const ReportHindrance& e);
Outcome record(const Asking& asking, const ReportFreed& e);
Outcome record(const Asking& asking, const ReportEvidence& e);
Outcome record(const Asking& asking, const ReportMoved& e);
Outcome record(const Asking& asking, const AbandonCommit& e);
Outcome record(const Asking& asking, const ReportPackage& e);
Outcome record(const Asking& asking, const ReportMerged& e);
Outcome record(const Asking& asking, const AbandonMerge& e);
Outcome record(const Asking& asking, const ReportClosed& e);

}  // namespace pf::bubble
