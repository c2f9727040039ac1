#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/views.h"

namespace pf::bubble {
namespace {

std::string short_text(const std::string& text) { return clip(printable(text), 120); }
std::string short_id(const auto& id) { return id.str().substr(0, 10); }

std::string next_turn(const Event& event) {
  if (!event.then) return {};
  const Standing& then = *event.then;
  if (then.phase == Phase::running && then.active_agent && then.active_role)
    return fmt::format("; round {}: {} is on turn as {}", then.round, *then.active_agent,
                       *then.active_role);
  return fmt::format("; {}", then.phase);
}

std::string findings_in_words(const Passed& e) {
  if (e.role == Role::implementer) return {};
  if (e.findings.empty()) return " with no findings";
  std::string out = " with ";
  for (const Finding& finding : e.findings) {
    if (&finding != e.findings.data()) out += ", ";
    out +=
        fmt::format("{} {} “{}”", finding.id, finding.severity, clip(printable(finding.title), 60));
  }
  return out;
}

std::string words(const Created& e) {
  return fmt::format("created from {} at {}{}", e.place.base_branch, short_id(e.place.base_commit),
                     e.continues ? fmt::format(", goes on with {}", e.continues->bubble) : "");
}
std::string words(const ConfigEdited&) { return "adopted the edited bubble.toml"; }
std::string words(const Preparing&) { return "preparing the workspace"; }
std::string words(const SetupFailed& e) { return "setup failed: " + short_text(e.what); }
std::string words(const Failed& e) { return "failed: " + short_text(e.reason); }
std::string words(const Tasked& e) {
  return e.replan ? "the human gave a new task" : "workspace is ready, task given";
}
std::string words(const Passed& e, const Event& event) {
  return fmt::format("{} passed as {}{}", event.sender, e.role, findings_in_words(e));
}
std::string words(const Warned& e, const Event& event) {
  return fmt::format("{}: {} refused: {}", event.sender, e.verb, short_text(e.what));
}
std::string words(const TreeMoved& e) {
  if (e.from == e.tree) return "the tree under review is as it was";
  return fmt::format("the tree moved during the review; {} is under review now", short_id(e.tree));
}
std::string words(const Asked& e, const Event& event) {
  const std::string text = short_text(e.question);
  return event.sender == "orchestrator" ? fmt::format("you are asked ({}): {}", e.kind, text)
                                        : fmt::format("{} asks: {}", event.sender, text);
}
std::string words(const Replied& e) {
  if (e.superseded) return "a question was superseded";
  if (e.resumed) return "the human resumed";
  if (e.decision != ReplyDecision::none) return fmt::format("the human decided: {}", e.decision);
  return "the human replied: " + short_text(e.message);
}
std::string words(const Converged& e, const Event& event) {
  return fmt::format("{} declares convergence on {}", event.sender, short_id(e.tree));
}
std::string words(const ApprovalRequested&) { return "approval requested from the human"; }
std::string words(const Decided& e) {
  if (e.decision == Approval::approve) return "the human approved tree " + short_id(e.tree);
  return "the human asked for rework: " + short_text(e.message);
}
std::string words(const CommitPrepared& e) {
  return fmt::format("commit {} prepared", short_id(e.commit));
}
std::string words(const CommitAbandoned& e) { return "commit abandoned: " + short_text(e.reason); }
std::string words(const Committed& e) { return "committed " + short_id(e.commit); }
std::string words(const Packaged& e) {
  return fmt::format("done: {} on {}", short_id(e.commit), e.branch);
}
std::string words(const MergePrepared& e) {
  return fmt::format("merging into {}{}", e.base_branch,
                     e.unchecked.empty() ? "" : ", unchecked: " + short_text(e.unchecked));
}
std::string words(const MergeAbandoned& e) {
  return "merge abandoned: " + clip(printable(e.reason), 600);
}
std::string words(const Merged& e) { return "merged: the base is at " + short_id(e.commit); }
std::string words(const SyncPrepared& e) {
  return fmt::format("bringing {} in: {} new commits", e.move.branch, e.move.commits);
}
std::string words(const SyncAbandoned& e) {
  return "the base was not brought in: " + clip(printable(e.reason), 600);
}
std::string words(const Synced& e) {
  const std::size_t conflicts = e.move.conflicts.size();
  return fmt::format("{} at {} is in the files{}", e.move.branch, short_id(e.move.onto),
                     conflicts == 0
                         ? ", without conflicts"
                         : ", with conflicts: " + short_text(join(e.move.conflicts, ", ")));
}
std::string words(const Cancelled&) { return "the human stopped the bubble"; }
std::string words(const Closed& e) {
  if (!e.unsaved.empty())
    return "session closed; the work is in the worktree alone: " + short_text(e.unsaved);
  return e.salvage.empty() ? "session closed"
                           : "session closed, loose work kept as " + e.salvage[0];
}
std::string words(const Resumed&) { return "the human resumed"; }
std::string words(const Waived& e) {
  return fmt::format("{} waived: {}", e.finding, short_text(e.reason));
}
std::string words(const Launched& e) { return fmt::format("{} started as {}", e.agent, e.role); }
std::string words(const PromptTaken& e) {
  return fmt::format("{} has taken #{} as its prompt", e.agent, number(e.cause));
}
std::string words(const Hindered& e) {
  return fmt::format("{} is held up ({}): {}", e.agent, e.obstacle, short_text(e.what));
}
std::string words(const Freed& e) { return e.agent.str() + " is free again"; }
std::string words(const AgentExited& e) {
  return fmt::format("{}: {}", e.agent, short_text(e.what));
}
std::string words(const Evidence& e) {
  std::string text = fmt::format("evidence for {}: {}", short_id(e.tree), e.status);
  const bool flaky = std::ranges::any_of(e.checks, &CheckRun::flaky);
  if (e.status == EvidenceStatus::red || e.status == EvidenceStatus::unable || flaky)
    text += ": " + short_text(e.what);
  return text;
}
std::string words(const RerunAsked&) { return "the human asked for another run"; }
std::string words(const ProfileChanged& e) {
  return e.profile.checks.empty() ? "the human took the checks away"
                                  : "the human changed the checks";
}

// Those that need no more than what happened.
template <class E>
std::string words(const E& e, const Event&) {
  return words(e);
}

}  // namespace

std::string describe(const Event& event) {
  const auto tell = [&](const auto& e) { return words(e, event); };
  return std::visit(tell, event.body) + next_turn(event);
}

}  // namespace pf::bubble
