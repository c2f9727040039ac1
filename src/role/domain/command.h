#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "role/domain/event.h"

// What may be asked of the role loop. The `Report…` and `Check…` commands are the orchestrator's
// own; one that is an event says what is recorded if it still counts.
namespace pf::role {

inline constexpr By kReport = By::orchestrator;

// The planner's, or the human's: begins the journal.
struct Init {
  static constexpr CommandTag kTag{"init", By::agent | By::human};
  using Answer = AnsweredBy<Initialized>;
  Policy policy;
};

// The agents', for their own role; without one, the current role when it is theirs.
struct Start {
  static constexpr CommandTag kTag{"start", By::agent | By::human};
  using Answer = AnsweredBy<Started>;
  std::optional<Role> role = {};
};
struct Handoff {
  static constexpr CommandTag kTag{"handoff", By::agent | By::human};
  using Answer = AnsweredBy<HandedOff>;
  Role to = Role::coder;
  std::string msg;
  std::optional<Role> role = {};
  // The planner's: what is worked on next. Without them what the register names goes on.
  std::string feature = {};  // F001
  std::string type = {};     // of a new branch; the first one of the policy when ""
  std::string branch = {};   // a name of one's own; "" for the usual one
  std::string task = {};     // T01; the next one by number when ""
  std::string risk = {};     // stated: the task gets a branch of its own
};
struct Block {
  static constexpr CommandTag kTag{"block", By::agent | By::human};
  using Answer = AnsweredBy<Blocked>;
  Role by = Role::planner;
  std::string msg;
  std::optional<Role> role = {};
  bool human = false;  // no role can answer; `by` does not count
};
// The reviewer's; the human's word lets go on what waits.
struct ApproveTask {
  static constexpr CommandTag kTag{"approve-task", By::agent | By::human};
  using Answer = AnsweredBy<TaskApproved, LandingApproved>;
  std::string msg = {};
};
struct ApproveFeature {
  static constexpr CommandTag kTag{"approve-feature", By::agent | By::human};
  using Answer = AnsweredBy<FeatureApproved, LandingApproved>;
  std::string msg = {};
  std::string feature = {};  // which of those that wait
};

// The human's.
struct Decline {
  static constexpr CommandTag kTag{"decline", By::human};
  using Answer = AnsweredBy<LandingDeclined>;
  std::string feature;
  std::string why = {};
};
// Sends a feature back to its coder, with the work as it is.
struct Rework {
  static constexpr CommandTag kTag{"rework", By::human};
  using Answer = AnsweredBy<SentBack>;
  std::string feature;
  std::string message;
  std::string task = {};  // T01: that one is open again; "": all of the feature is meant
};
struct SetAutopilot {
  static constexpr CommandTag kTag{"autopilot", By::human};
  using Answer = AnsweredBy<AutopilotSet>;
  Autopilot level = Autopilot::off;
  std::string without_checks = {};  // a reason: it holds although there are none
};
struct Configure {
  static constexpr CommandTag kTag{"configure", By::human | By::orchestrator, Reads::nothing};
  using Answer = AnsweredBy<Configured>;
  Policy policy;
};
struct Automate {
  static constexpr CommandTag kTag{"run", By::human};
  using Answer = AnsweredBy<AutomationBegun>;
  std::string run_id;
};

// Lets others work in the checkout while the agents rest.
struct Release {
  static constexpr CommandTag kTag{"release", By::human, Reads::nothing};
  using Answer = AnsweredBy<Released>;
};

struct StopAutomation {
  static constexpr CommandTag kTag{"stop", By::human | By::orchestrator, Reads::nothing};
  using Answer = AnsweredBy<AutomationEnded>;
  std::string why = {};
};
struct CheckDocuments {  // as they are now
  static constexpr CommandTag kTag{"check_documents", kReport};
};
struct ReportWritten : FileWritten {
  static constexpr CommandTag kTag{"file_written", kReport, Reads::nothing};
};
struct ReportBranch {
  static constexpr CommandTag kTag{"file_branch", kReport};
  std::string name;
  std::string error = {};
};
struct ReportPrepared : CommitPrepared {
  static constexpr CommandTag kTag{"file_prepared", kReport};
};
struct ReportChecks {
  static constexpr CommandTag kTag{"file_checks", kReport};
  int landing = 0;
  CommitId commit;  // what they ran on
  bool passed = false;
  std::string what = {};
  std::vector<std::string> artifacts = {};
  std::string log_end = {};
};
struct ReportMerge {
  static constexpr CommandTag kTag{"file_merge", kReport};
  int landing = 0;
  CommitId onto, merged;  // equal: the branch has it already
  std::vector<std::string> conflicts = {};
  TreeId tree = {};  // of the merge; none when it is the landing's own, or the branch's
};
// The branch, or the one it goes into, is where the stage wants it.
struct ReportMoved {
  static constexpr CommandTag kTag{"file_moved", kReport};
  int landing = 0;
};
struct ReportKept : WorkKept {
  static constexpr CommandTag kTag{"file_kept", kReport, Reads::nothing};
};
struct BeginPull {
  static constexpr CommandTag kTag{"begin_pull", kReport, Reads::nothing};
  int landing = 0;
};
struct ReportPull : PullRequestFiled {
  static constexpr CommandTag kTag{"file_pull", kReport};
};
struct ReportCleared {
  static constexpr CommandTag kTag{"file_cleared", kReport};
  int landing = 0;
};
struct ReportLandingTrouble {
  static constexpr CommandTag kTag{"file_trouble", kReport};
  int landing = 0;
  Stage stage = Stage::prepare;
  std::string what;
};
struct ReportSummary {
  static constexpr CommandTag kTag{"file_summary", kReport, Reads::nothing};
  int landing = 0;
};
struct ReportRunStarted : RunStarted {
  static constexpr CommandTag kTag{"file_run_started", kReport, Reads::nothing};
};
struct ReportRunEnded {
  static constexpr CommandTag kTag{"file_run_ended", kReport};
  int run = 0;
  int exit = 0;
  bool lost = false;  // nobody saw it end
  std::string what = {};
};
struct ReportDelegated {
  static constexpr CommandTag kTag{"file_delegated", kReport, Reads::nothing};
  std::string child;  // an id; nothing of that name is there yet
};
struct ReportChildEnded : ChildEnded {
  static constexpr CommandTag kTag{"file_child_ended", kReport};
};

struct Command : std::variant<Init, Start, Handoff, Block, ApproveTask, ApproveFeature, Decline,
                              Rework, SetAutopilot, Configure, Automate, StopAutomation, Release,
                              CheckDocuments, ReportWritten, ReportBranch, ReportPrepared,
                              ReportChecks, ReportMerge, ReportMoved, ReportKept, BeginPull,
                              ReportPull, ReportCleared, ReportLandingTrouble, ReportSummary,
                              ReportRunStarted, ReportRunEnded, ReportDelegated, ReportChildEnded> {
  using variant::variant;
  PF_COMPILED_ONCE(Command);
  using Edit = RegisterEdited;  // of the register, that a command finds on its way
};

}  // namespace pf::role
