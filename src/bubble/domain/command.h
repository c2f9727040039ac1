#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "bubble/domain/event.h"

// What may be asked of a bubble. The `Report…` and `Check…` commands are the orchestrator's own;
// one that is an event says what is recorded if it still counts.
namespace pf::bubble {

// The human may run the one-shot watchdog; nothing else of the orchestrator's has a verb.
inline constexpr By kReport = By::human | By::orchestrator;

// The human's approval, or one that sends it back.
template <bool kApproves>
struct Decides {
  template <class Body>
  static bool holds(const Body& body) {
    const auto* decided = std::get_if<Decided>(&body);
    return decided != nullptr && (decided->decision == Approval::approve) == kApproves;
  }
};

struct Create {
  static constexpr CommandTag kTag{"create", By::human};
  using Answer = AnsweredBy<Created>;
  Policy policy;
  Place place;
  std::string task;
  Hash config;
  std::optional<Continued> continues = {};
  std::vector<Finding> findings = {};  // of the bubble that it goes on with
};
struct AdoptConfig {
  static constexpr CommandTag kTag{"adopt_config", By::human};
  using Answer = AnsweredBy<ConfigEdited>;
  Policy policy;
  Hash config;
};
struct Start {
  static constexpr CommandTag kTag{"start", By::human};
  using Answer = AnsweredBy<Preparing>;
};
struct ReportPrepared {
  static constexpr CommandTag kTag{"report_prepared", kReport};
  Hash rules = {};
};
struct ReportSetupFailed {
  static constexpr CommandTag kTag{"report_setup_failed", kReport};
  std::string what;
};
struct ReportFailed {
  static constexpr CommandTag kTag{"report_failed", kReport};
  std::string reason;
};
struct Pass {
  static constexpr CommandTag kTag{"pass", By::agent};
  using Answer = AnsweredBy<Passed>;
  std::string summary;
  std::optional<Intent> intent;  // none: by role and verdict
  Review review;                 // reviewers only
  Claims claims;                 // implementers only
  std::vector<std::string> refs;
  std::optional<PackageBrought> package = {};
};
struct AskHuman {
  static constexpr CommandTag kTag{"ask-human", By::agent};
  using Answer = AnsweredBy<Asked>;
  std::string question;
};
struct Converge {
  static constexpr CommandTag kTag{"converged", By::agent};
  using Answer = AnsweredBy<Converged>;
  std::string summary;
  std::optional<PackageBrought> package = {};
};
// The agent's program has come to the end of what it was asked for.
struct EndTurn {
  static constexpr CommandTag kTag{"stop", By::agent};
  using Answer = AnsweredBy<Asked>;
  std::string said;  // its last words
};
struct CheckTree {
  static constexpr CommandTag kTag{"check_tree", kReport};
};
struct CheckIdle {
  static constexpr CommandTag kTag{"check_idle", kReport};
};
struct ReportExit {
  static constexpr CommandTag kTag{"report_exit", kReport};
  AgentName agent;
  std::string what;
  int code = -1;  // by which it ended; -1 when that is not known
};
struct ReportLaunch : Launched {
  static constexpr CommandTag kTag{"report_launch", kReport};
};
struct ReportPrompt : PromptTaken {  // cause none: somebody else's words
  static constexpr CommandTag kTag{"report_prompt", kReport};
};
struct ReportHindrance : Hindered {
  static constexpr CommandTag kTag{"report_hindrance", kReport};
};
struct ReportFreed : Freed {
  static constexpr CommandTag kTag{"report_freed", kReport};
};
struct ReportEvidence : Evidence {
  static constexpr CommandTag kTag{"report_evidence", kReport};
  std::string log_end = {};  // unable: what the human is shown
};
struct RerunChecks {
  static constexpr CommandTag kTag{"rerun", By::human};
  using Answer = AnsweredBy<RerunAsked>;
};
struct ChangeProfile {
  static constexpr CommandTag kTag{"profile", By::human};
  using Answer = AnsweredBy<ProfileChanged>;
  Profile profile;
};
struct Reply {
  static constexpr CommandTag kTag{"reply", By::human};
  using Answer = AnsweredBy<Replied>;
  std::string message;
  ReplyDecision decision = ReplyDecision::none;
  int rounds = 2;      // how many more after max_rounds
  MessageId question;  // empty: the oldest
};
struct Resume {
  static constexpr CommandTag kTag{"resume", By::human};
  using Answer = AnsweredBy<Replied, Resumed>;
};
struct Replan {
  static constexpr CommandTag kTag{"replan", By::human};
  using Answer = AnsweredBy<Replied, Tasked>;
  std::string task;
};
struct Waive {
  static constexpr CommandTag kTag{"waive", By::human};
  using Answer = AnsweredBy<Waived>;
  FindingId finding;
  std::string reason;
};
struct Approve {
  static constexpr CommandTag kTag{"approve", By::human};
  using Answer = Decides<true>;
  std::optional<TreeId> tree = {};        // when given it must be the converged one
  std::vector<std::size_t> checked = {};  // places of the manual checks gone through, from 1
};
struct Rework {
  static constexpr CommandTag kTag{"request-rework", By::human};
  using Answer = Decides<false>;
  std::string message;
  bool reject = false;
  std::vector<Reported> findings;
};
struct Commit {
  static constexpr CommandTag kTag{"commit", By::human};
  using Answer = AnsweredBy<CommitPrepared>;
  std::string message;
  bool squash = false;
  std::string override_scope = {};  // the reason
  bool hooks = false;               // the repository's own were run and let it pass
};
struct ReportMoved {
  static constexpr CommandTag kTag{"report_moved", kReport};
};
struct AbandonCommit {
  static constexpr CommandTag kTag{"abandon_commit", kReport};
  std::string reason;
};
struct ReportPackage {
  static constexpr CommandTag kTag{"report_package", kReport};
  std::vector<ChangedFile> files;
};
struct Merge {
  static constexpr CommandTag kTag{"merge", By::human};
  using Answer = AnsweredBy<MergePrepared>;
  std::string unchecked = {};  // the human's reason to do without a green run
};
struct ReportMerged {
  static constexpr CommandTag kTag{"report_merged", kReport};
  CommitId commit;
};
struct AbandonMerge {
  static constexpr CommandTag kTag{"abandon_merge", kReport};
  std::string reason;
};
struct Sync {
  static constexpr CommandTag kTag{"sync", By::human};
  using Answer = AnsweredBy<SyncPrepared>;
};
struct ReportSynced {
  static constexpr CommandTag kTag{"report_synced", kReport};
};
struct AbandonSync {
  static constexpr CommandTag kTag{"abandon_sync", kReport};
  std::string reason;
};
struct Stop {
  static constexpr CommandTag kTag{"stop", By::human};
  using Answer = AnsweredBy<Cancelled>;
  std::string reason;
};
struct ReportClosed : Closed {
  static constexpr CommandTag kTag{"report_closed", kReport};
};

struct Command
    : std::variant<Create, AdoptConfig, Start, ReportPrepared, ReportSetupFailed, ReportFailed,
                   Pass, AskHuman, Converge, EndTurn, CheckTree, CheckIdle, ReportExit,
                   ReportLaunch, ReportPrompt, ReportHindrance, ReportFreed, ReportEvidence,
                   RerunChecks, ChangeProfile, Reply, Resume, Replan, Waive, Approve, Rework,
                   Commit, ReportMoved, AbandonCommit, ReportPackage, Merge, ReportMerged,
                   AbandonMerge, Sync, ReportSynced, AbandonSync, Stop, ReportClosed> {
  using variant::variant;
  PF_COMPILED_ONCE(Command);
};

}  // namespace pf::bubble
