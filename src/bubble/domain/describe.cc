#include "bubble/domain/describe.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"

namespace pf::bubble {
namespace {

std::string short_text(const std::string& text) { return clip(printable(text), 120); }
std::string short_id(const std::string& id) { return id.substr(0, 10); }

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

struct Words {
  const Event& event;

  std::string operator()(const Created& e) const {
    return fmt::format("created from {} at {}", e.place.base_branch,
                       short_id(e.place.base_commit.str()));
  }
  std::string operator()(const ConfigEdited&) const { return "adopted the edited bubble.toml"; }
  std::string operator()(const Preparing&) const { return "preparing the workspace"; }
  std::string operator()(const SetupFailed& e) const {
    return fmt::format("setup failed: {}", short_text(e.what));
  }
  std::string operator()(const Failed& e) const {
    return fmt::format("failed: {}", short_text(e.reason));
  }
  std::string operator()(const Tasked& e) const {
    return e.replan ? "the human gave a new task" : "workspace is ready, task given";
  }
  std::string operator()(const Passed& e) const {
    return fmt::format("{} passed as {}{}", event.sender, e.role, findings_in_words(e));
  }
  std::string operator()(const Warned& e) const {
    return fmt::format("{}: {} refused: {}", event.sender, e.verb, short_text(e.what));
  }
  std::string operator()(const TreeMoved& e) const {
    if (e.from == e.tree) return "the tree under review is as it was";
    return fmt::format("the tree moved during the review; {} is under review now",
                       short_id(e.tree.str()));
  }
  std::string operator()(const Asked& e) const {
    const std::string text = short_text(e.question);
    return event.sender == "orchestrator" ? fmt::format("you are asked ({}): {}", e.kind, text)
                                          : fmt::format("{} asks: {}", event.sender, text);
  }
  std::string operator()(const Replied& e) const {
    if (e.superseded) return "a question was superseded";
    if (e.resumed) return "the human resumed";
    if (e.decision != ReplyDecision::none) return fmt::format("the human decided: {}", e.decision);
    return fmt::format("the human replied: {}", short_text(e.message));
  }
  std::string operator()(const Converged& e) const {
    return fmt::format("{} declares convergence on {}", event.sender, short_id(e.tree.str()));
  }
  std::string operator()(const ApprovalRequested&) const {
    return "approval requested from the human";
  }
  std::string operator()(const Decided& e) const {
    if (e.decision == Approval::approve)
      return fmt::format("the human approved tree {}", short_id(e.tree.str()));
    return fmt::format("the human asked for rework: {}", short_text(e.message));
  }
  std::string operator()(const CommitPrepared& e) const {
    return fmt::format("commit {} prepared", short_id(e.commit.str()));
  }
  std::string operator()(const CommitAbandoned& e) const {
    return fmt::format("commit abandoned: {}", short_text(e.reason));
  }
  std::string operator()(const Committed& e) const {
    return fmt::format("committed {}", short_id(e.commit.str()));
  }
  std::string operator()(const Packaged& e) const {
    return fmt::format("done: {} on {}", short_id(e.commit.str()), e.branch);
  }
  std::string operator()(const MergePrepared& e) const {
    return fmt::format("merging into {}", e.base_branch);
  }
  std::string operator()(const MergeAbandoned& e) const {
    return fmt::format("merge abandoned: {}", clip(printable(e.reason), 600));
  }
  std::string operator()(const Merged& e) const {
    return fmt::format("merged: the base is at {}", short_id(e.commit.str()));
  }
  std::string operator()(const Cancelled&) const { return "the human stopped the bubble"; }
  std::string operator()(const Closed& e) const {
    if (!e.unsaved.empty())
      return "session closed; the work is in the worktree alone: " + short_text(e.unsaved);
    return e.salvage.empty() ? "session closed"
                             : "session closed, loose work kept as " + e.salvage[0];
  }
  std::string operator()(const Resumed&) const { return "the human resumed"; }
  std::string operator()(const Waived& e) const {
    return fmt::format("{} waived: {}", e.finding, short_text(e.reason));
  }
  std::string operator()(const Launched& e) const {
    return fmt::format("{} started as {}", e.agent, e.role);
  }
  std::string operator()(const PromptTaken& e) const {
    return fmt::format("{} has taken #{} as its prompt", e.agent, number(e.cause));
  }
  std::string operator()(const Hindered& e) const {
    return fmt::format("{} is held up ({}): {}", e.agent, e.obstacle, short_text(e.what));
  }
  std::string operator()(const Freed& e) const { return e.agent.str() + " is free again"; }
  std::string operator()(const AgentExited& e) const {
    return fmt::format("{}: {}", e.agent, short_text(e.what));
  }
  std::string operator()(const Evidence& e) const {
    std::string text = fmt::format("evidence for {}: {}", short_id(e.tree.str()), e.status);
    if (e.status == EvidenceStatus::red) text += ": " + short_text(e.what);
    return text;
  }
  std::string operator()(const RerunAsked&) const { return "the human asked for another run"; }
  std::string operator()(const ProfileChanged& e) const {
    return e.profile.checks.empty() ? "the human took the checks away"
                                    : "the human changed the checks";
  }
};

}  // namespace

std::string describe(const Event& event) {
  return std::visit(Words{event}, event.body) + next_turn(event);
}

}  // namespace pf::bubble
