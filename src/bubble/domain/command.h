#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "bubble/domain/event.h"
#include "bubble/domain/ledger.h"
#include "bubble/domain/types.h"

// What may be asked of a bubble. The `File…` and `Check…` commands are the orchestrator's own.
namespace pf::bubble {

struct Create {
  Policy policy;
  Place place;
  std::string task;
  Hash config;
};
struct AdoptConfig {
  Policy policy;
  Hash config;
};
struct Start {};
struct ReportPrepared {
  Hash rules = {};
};
struct ReportSetupFailed {
  std::string what;
};
struct ReportFailed {
  std::string reason;
};
struct Pass {
  std::string summary;
  std::string intent;  // "" to infer it
  Review review;       // reviewers only
  Claims claims;       // implementers only
  std::vector<std::string> refs;
  std::optional<PackageBrought> package = {};
};
struct AskHuman {
  std::string question;
};
struct Converge {
  std::string summary;
  std::optional<PackageBrought> package = {};
};
// The agent's program has come to the end of what it was asked for.
struct EndTurn {
  std::string said;  // its last words
};
struct CheckTree {};
struct CheckIdle {};
struct ReportExit {
  AgentName agent;
  std::string what;
  int code = -1;  // by which it ended; -1 when that is not known
};
struct ReportLaunch {
  AgentName agent;
  Role role = Role::implementer;
  Seq cause = Seq::none;
  std::string pane, key;
  std::string enforcement = {};  // "sandbox", or why it is advisory
  std::string conversation = {}, program = {};
  bool confirms = false;
  std::optional<Seq> covers = {};  // a line that it does not need: it only has to wait
};
struct ReportPrompt {
  AgentName agent;
  Seq cause = Seq::none;  // none: somebody else's words
  std::string conversation;
};
struct ReportHindrance {
  AgentName agent;
  Obstacle obstacle = Obstacle::dialog;
  std::string what, until = {}, how = {};
};
struct ReportFreed {
  AgentName agent;
  bool again = false;
};
struct ReportEvidence {
  TreeId tree;
  EvidenceStatus status = EvidenceStatus::green;
  std::string what;
  std::vector<std::string> paths = {};
  Hash profile = {};
  std::optional<TreeId> after = {};
  std::vector<CheckRun> checks = {};
  std::string log = {};
  std::string enforcement = {};
  std::vector<std::string> touched = {};
};
struct RerunChecks {};
struct ChangeProfile {
  Profile profile;
};
struct Reply {
  std::string message;
  ReplyDecision decision = ReplyDecision::none;
  int rounds = 2;      // how many more after max_rounds
  MessageId question;  // empty: the oldest
};
struct Resume {};
struct Replan {
  std::string task;
};
struct Waive {
  FindingId finding;
  std::string reason;
};
struct Approve {
  std::optional<TreeId> tree = {};        // when given it must be the converged one
  std::vector<std::size_t> checked = {};  // places of the manual checks gone through, from 1
};
struct Rework {
  std::string message;
  bool reject = false;
  std::vector<Reported> findings;
};
struct Commit {
  std::string message;
  bool squash = false;
  std::string override_scope = {};  // the reason
  bool hooks = false;               // the repository's own were run and let it pass
};
struct ReportMoved {};
struct AbandonCommit {
  std::string reason;
};
struct ReportPackage {
  std::vector<ChangedFile> files;
};
struct Merge {};
struct ReportMerged {
  CommitId commit;
};
struct AbandonMerge {
  std::string reason;
};
struct Stop {
  std::string reason;
};
struct ReportClosed {
  std::vector<std::string> salvage = {};
  std::string unsaved = {};  // why there is no salvage ref although there is work
};

struct Command
    : std::variant<Create, AdoptConfig, Start, ReportPrepared, ReportSetupFailed, ReportFailed,
                   Pass, AskHuman, Converge, EndTurn, CheckTree, CheckIdle, ReportExit,
                   ReportLaunch, ReportPrompt, ReportHindrance, ReportFreed, ReportEvidence,
                   RerunChecks, ChangeProfile, Reply, Resume, Replan, Waive, Approve, Rework,
                   Commit, ReportMoved, AbandonCommit, ReportPackage, Merge, ReportMerged,
                   AbandonMerge, Stop, ReportClosed> {
  using variant::variant;
  PF_COMPILED_ONCE(Command);
};

}  // namespace pf::bubble
