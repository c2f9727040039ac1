#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "plan/domain/event.h"

// What may be asked of a plan. The `Report…` and `Check…` commands are the orchestrator's own.
namespace pf::plan {

inline constexpr By kReport = By::human | By::orchestrator;

// The human's: begins the log of a feature.
struct Open {
  static constexpr CommandTag kTag{"open", By::human};
  using Answer = AnsweredBy<Opened>;
  Policy policy;
  std::string restored = {};  // where the damaged log is kept that this one replaces
  bool delegated = false;     // by the roles, whose checkout it works in
  std::string steps = {};     // which lines the user says are the steps: "headings", "list"
};

// The agents' tools; `run` is the one they were started as.
struct RequestReview {
  static constexpr CommandTag kTag{"request_review", By::agent};
  using Answer = AnsweredBy<ReviewRequested>;
  int run = 0;
  std::string note = {};
};
struct RequestChanges {
  static constexpr CommandTag kTag{"request_changes", By::agent};
  using Answer = AnsweredBy<ChangesRequested>;
  int run = 0;
  std::string text;
};
struct Approve {
  static constexpr CommandTag kTag{"approve", By::agent};
  using Answer = AnsweredBy<Approved>;
  int run = 0;
  std::string note = {};
};
struct AskUser {
  static constexpr CommandTag kTag{"ask_user", By::agent, Reads::nothing};
  using Answer = AnsweredBy<UserAsked>;
  int run = 0;
  std::string message;
};

// The human's.
struct Reply {
  static constexpr CommandTag kTag{"reply", By::human};
  using Answer = AnsweredBy<UserReplied>;
  std::string message;
  MessageId question = {};  // when given it must be the open one
};
struct Force {
  static constexpr CommandTag kTag{"force", By::human};
  using Answer = AnsweredBy<Forced>;
  Role role = Role::coder;
  std::string message = {};
};
struct ResetGuard {
  static constexpr CommandTag kTag{"reset-guard", By::human};
  using Answer = AnsweredBy<GuardReset>;
};
struct Pause {
  static constexpr CommandTag kTag{"pause", By::human, Reads::nothing};
  using Answer = AnsweredBy<Paused>;
};
struct Resume {
  static constexpr CommandTag kTag{"resume", By::human};
  using Answer = AnsweredBy<Resumed>;
  bool takes_edit = false;  // plan.md counts as it is, also when an agent may have edited it
};
struct Reset {
  static constexpr CommandTag kTag{"reset", By::human};
  using Answer = AnsweredBy<ResetDone>;
};

struct RemoveNote {
  static constexpr CommandTag kTag{"remove_note", By::human, Reads::nothing};
  using Answer = AnsweredBy<NoteRemoved>;
  int number = 0;
};

// Lets others work in the checkout that the plan is parked in.
struct Release {
  static constexpr CommandTag kTag{"release", By::human, Reads::nothing};
  using Answer = AnsweredBy<Released>;
};

// Brings what is approved home: commits on the plan's own branch, or on the one checked out.
struct Land {
  static constexpr CommandTag kTag{"land", By::human};
  using Answer = AnsweredBy<LandingPrepared>;
  bool one = false;     // commit, whatever the number of steps
  bool so_far = false;  // although steps are open
  TreeId tree = {};     // when given it must be the one that was approved last
};
// Brings what landed on the plan's own branch into the one that the plan began at.
struct Merge {
  static constexpr CommandTag kTag{"merge", By::human, Reads::nothing};
  using Answer = AnsweredBy<MergePrepared, Merged>;
  TreeId green = {};  // what the checks were just run on
  std::string unchecked = {};
};
struct ReportLanded {
  static constexpr CommandTag kTag{"report_landed", kReport, Reads::nothing};
  CommitId commit;
};
struct AbandonLanding {
  static constexpr CommandTag kTag{"abandon_landing", kReport, Reads::nothing};
  std::string reason;
};
struct ReportMerged {
  static constexpr CommandTag kTag{"report_merged", kReport, Reads::nothing};
  CommitId commit;
};
struct AbandonMerge {
  static constexpr CommandTag kTag{"abandon_merge", kReport, Reads::nothing};
  std::string reason;
};

struct CheckDocuments {  // plan.md and spec.md as they are now
  static constexpr CommandTag kTag{"check_documents", kReport};
};
struct CheckBudget {
  static constexpr CommandTag kTag{"check_budget", kReport, Reads::nothing};
};
struct ReportWritten {
  static constexpr CommandTag kTag{"file_written", kReport, Reads::nothing};
  Hash hash;
};
struct ReportRunStarted {
  static constexpr CommandTag kTag{"file_run_started", kReport, Reads::nothing};
  int run = 0;
  std::string conversation = {}, transcript = {}, program = {}, enforcement = {};
};
struct ReportRunParked {
  static constexpr CommandTag kTag{"file_run_parked", kReport, Reads::nothing};
  int run = 0;
  MessageId question;  // that it waited for
};
struct ReportRunEnded {
  static constexpr CommandTag kTag{"file_run_ended", kReport, Reads::nothing};
  int run = 0;
  int exit = 0;
  bool lost = false;      // nobody saw it end
  std::string what = {};  // how it ended, for people
  std::string conversation = {};
  std::int64_t input_tokens = 0, output_tokens = 0;
  bool explained = false;  // explained.md is there, and was not so before
};
struct ReportTool {
  static constexpr CommandTag kTag{"file_tool", kReport, Reads::nothing};
  int run = 0;
  std::string tool, what;
  bool blocked = false;
};
struct ReportError {
  static constexpr CommandTag kTag{"file_error", kReport, Reads::nothing};
  std::string what;
  int run = 0;  // when it is about one
};

struct Command : std::variant<Open, RequestReview, RequestChanges, Approve, AskUser, Reply, Force,
                              ResetGuard, Pause, Resume, Reset, RemoveNote, Release, Land, Merge,
                              ReportLanded, AbandonLanding, ReportMerged, AbandonMerge,
                              CheckDocuments, CheckBudget, ReportWritten, ReportRunStarted,
                              ReportRunParked, ReportRunEnded, ReportTool, ReportError> {
  using variant::variant;
  PF_COMPILED_ONCE(Command);
  using Edit = RegisterEdited;  // of plan.md, that a command finds on its way
};

}  // namespace pf::plan
