#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "base/envelope.h"
#include "base/fields.h"
#include "bubble/domain/agent_events.h"
#include "bubble/domain/package.h"
#include "bubble/domain/progress.h"

// What happened, with its outcome: who is next, which findings stand how, who is told. `apply` only
// copies these; every choice was made by `decide`.
namespace pf::bubble {

// Where the bubble stands after an event; every one opens a new turn.
struct Standing {
  Phase phase = Phase::none;
  int round = 0;
  int limit = 0;
  Roles roles;
  std::optional<AgentName> active_agent;
  std::optional<Role> active_role;
  PF_FIELDS(v.always("state", self.phase), v.always("round", self.round),
            v.always("limit", self.limit), Roles::fields(v, self.roles),
            v("active_agent", self.active_agent), v("active_role", self.active_role));
};

struct Created {
  static constexpr EventTag kTag{kLifecycle, "created"};
  Policy policy;
  Place place;
  std::string task;
  Hash config;  // of bubble.toml as written
  PF_FIELDS(v.always("task", self.task), v.always("place", self.place),
            v.always("policy", self.policy), v.always("config", self.config));
};
// bubble.toml was edited by hand: the policy from here on.
struct ConfigEdited {
  static constexpr EventTag kTag{kLifecycle, "config_edited"};
  Policy policy;
  Hash before, after;
  PF_FIELDS(v.always("policy", self.policy), v.always("before", self.before),
            v.always("after", self.after));
};
struct Preparing {
  static constexpr EventTag kTag{kLifecycle, "preparing"};
  PF_FIELDS();
};
struct SetupFailed {
  static constexpr EventTag kTag{kLifecycle, "setup_failed"};
  std::string what;
  PF_FIELDS(v.always("what", self.what));
};
struct Failed {
  static constexpr EventTag kTag{kLifecycle, "failed"};
  std::string reason;
  PF_FIELDS(v.always("reason", self.reason));
};
// TASK: at the start (with git's rules then) or by a replan (the tree then).
struct Tasked {
  static constexpr EventTag kTag{"TASK", "task"};
  std::string task;
  bool replan = false;
  std::optional<TreeId> target = {};
  Hash git_fingerprint = {};  // in old journals
  Hash rules = {};            // the blob that holds them
  PF_FIELDS(v.always("task", self.task), v("target", self.target),
            v("git_fingerprint", self.git_fingerprint), v("replan", self.replan),
            v("rules", self.rules));
};
struct Passed {
  static constexpr EventTag kTag{"PASS", "pass"};
  Role role = Role::implementer;
  std::string summary;
  Intent intent = Intent::review;
  TreeId tree;
  CommitId tip;
  std::vector<Finding> findings;       // declared by this review; none with --no-findings
  std::optional<Verdict> verdict;      // of a review
  std::optional<ChangeStats> changes;  // of an implementer's pass, against the base
  std::vector<std::string> out_of_scope;
  std::optional<ChangeStats> churn = {};  // of an implementer's pass, against the last one
  std::optional<Progress> progress = {};  // of a review
  std::optional<PackageBrought> package = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("summary", self.summary), v.always("pass_intent", self.intent);
    v.always("role", self.role), v.always("tree", self.tree), v("tip", self.tip);
    if (self.role == Role::reviewer) v.always("findings", self.findings);
    v("verdict", self.verdict), v("changes", self.changes), v("out_of_scope", self.out_of_scope);
    v("churn", self.churn), v("progress", self.progress), v("package", self.package);
  }
};
struct Warned {
  static constexpr EventTag kTag{"PROTOCOL_WARNING", "protocol_warning"};
  std::string verb, reason, what, why;
  std::vector<std::string> unmet;
  PF_FIELDS(v.always("verb", self.verb), v.always("reason", self.reason),
            v.always("what", self.what), v("why", self.why), v("unmet", self.unmet));
};
struct TreeMoved {
  static constexpr EventTag kTag{kLifecycle, "tree_moved"};
  TreeId from, tree;
  PF_FIELDS(v.always("from", self.from), v.always("tree", self.tree));
};
struct Asked {
  static constexpr EventTag kTag{"HUMAN_QUESTION", "human_question"};
  QuestionKind kind = QuestionKind::ask;
  std::string question;
  std::vector<FindingId> about;
  std::optional<AgentName> dead;  // agent_dead: whose process ended
  bool forgets = false;           // and its conversation could not be continued
  PF_FIELDS(v.always("kind", self.kind), v.always("question", self.question),
            v("about", self.about), v("dead", self.dead), v("forgets", self.forgets));
};
struct Replied {
  static constexpr EventTag kTag{"HUMAN_REPLY", "human_reply"};
  MessageId question;
  std::string message;
  ReplyDecision decision = ReplyDecision::none;
  bool resumed = false, superseded = false, clean = false;  // clean: adds a clean verdict
  bool held = false;   // the reviewer's PASS that waited for the decision is handed on with it
  bool rerun = false;  // the checks are run once more
  PF_FIELDS(v.always("question", self.question), v.always("message", self.message),
            v.always("decision", self.decision), v("resumed", self.resumed),
            v("superseded", self.superseded), v("clean", self.clean), v("held", self.held),
            v("rerun", self.rerun));
};
struct Converged {
  static constexpr EventTag kTag{"CONVERGENCE", "convergence"};
  std::string summary;
  TreeId tree;
  std::vector<AgentName> reviewers;
  std::optional<PackageBrought> package = {};
  PF_FIELDS(v.always("summary", self.summary), v.always("tree", self.tree),
            v.always("reviewers", self.reviewers), v("package", self.package));
};
struct ApprovalRequested {
  static constexpr EventTag kTag{"APPROVAL_REQUEST", "approval_request"};
  TreeId tree;
  ChangeStats changes;
  PF_FIELDS(v.always("tree", self.tree), v.always("changes", self.changes));
};
struct Decided {
  static constexpr EventTag kTag{"APPROVAL_DECISION", "approval_decision"};
  Approval decision = Approval::approve;
  TreeId tree;
  std::string message;
  std::vector<std::string> checked = {};  // the manual checks that were gone through
  PF_FIELDS(v.always("decision", self.decision), v.always("tree", self.tree),
            v("message", self.message), v("checked", self.checked));
};
struct CommitPrepared {
  static constexpr EventTag kTag{kLifecycle, "commit_prepared"};
  CommitId commit, old_tip;
  TreeId tree;
  std::string message;
  std::string scope_override;
  bool squash = false, hooks = false;  // hooks: the repository's own were run
  PF_FIELDS(v.always("commit", self.commit), v.always("old_tip", self.old_tip),
            v.always("tree", self.tree), v.always("message", self.message),
            v("scope_override", self.scope_override), v("squash", self.squash),
            v("hooks", self.hooks));
};
// The branch was not where it should be: the intent is void, the approval stands.
struct CommitAbandoned {
  static constexpr EventTag kTag{kLifecycle, "commit_abandoned"};
  std::string reason;
  PF_FIELDS(v.always("reason", self.reason));
};
struct Committed {
  static constexpr EventTag kTag{kLifecycle, "committed"};
  CommitId commit;
  PF_FIELDS(v.always("commit", self.commit));
};
struct Packaged {  // DONE_PACKAGE
  static constexpr EventTag kTag{"DONE_PACKAGE", "done_package"};
  CommitId commit;
  TreeId tree;
  std::string branch, message;
  std::vector<ChangedFile> files;
  Hash head;
  PF_FIELDS(v.always("commit", self.commit), v.always("tree", self.tree),
            v.always("branch", self.branch), v.always("message", self.message),
            v.always("files", self.files), v.always("head", self.head));
};
// The commit is to go into its base branch, which was at `old` then.
struct MergePrepared {
  static constexpr EventTag kTag{kLifecycle, "merge_prepared"};
  std::string base_branch, checkout;
  CommitId old;
  PF_FIELDS(v.always("base_branch", self.base_branch), v.always("old", self.old),
            v("checkout", self.checkout));
};
struct MergeAbandoned {
  static constexpr EventTag kTag{kLifecycle, "merge_abandoned"};
  std::string reason;
  PF_FIELDS(v.always("reason", self.reason));
};
struct Merged {
  static constexpr EventTag kTag{kLifecycle, "merged"};
  CommitId commit;  // of the base branch
  PF_FIELDS(v.always("commit", self.commit));
};
struct Cancelled {
  static constexpr EventTag kTag{kLifecycle, "cancelled"};
  std::string reason;
  PF_FIELDS(v("reason", self.reason));
};
// A final bubble's session is closed and its loose work is kept under `refs`.
struct Closed {
  static constexpr EventTag kTag{kLifecycle, "closed"};
  std::vector<std::string> salvage;
  std::string unsaved;  // why there are none: the work is in the worktree alone
  PF_FIELDS(v("salvage", self.salvage), v("unsaved", self.unsaved));
};
struct Resumed {
  static constexpr EventTag kTag{kLifecycle, "resumed"};
  PF_FIELDS();
};
struct Waived {
  static constexpr EventTag kTag{kLifecycle, "waived"};
  FindingId finding;
  std::string reason;
  PF_FIELDS(v.always("finding", self.finding), v.always("reason", self.reason));
};
// One check of a run.
struct CheckRun {
  std::string name, command;
  int code = 0;
  std::int64_t ms = 0;
  bool timed_out = false;
  PF_FIELDS(v.always("name", self.name), v.always("command", self.command),
            v.always("code", self.code), v.always("ms", self.ms), v("timed_out", self.timed_out));
};
struct Evidence {
  static constexpr EventTag kTag{"EVIDENCE", "evidence"};
  TreeId tree;
  EvidenceStatus status = EvidenceStatus::green;
  std::string what;                     // reason, failed command, …
  std::vector<std::string> paths = {};  // void: what the run changed
  Hash profile = {};
  std::optional<TreeId> after = {};  // the worktree's when it was over
  std::vector<CheckRun> checks = {};
  std::string log = {};                   // the file's name under artifacts/
  std::string enforcement = {};           // "sandbox", or why it was advisory
  std::vector<std::string> touched = {};  // written meanwhile, with the same content afterwards
  PF_FIELDS(v.always("tree", self.tree), v.always("status", self.status), v("what", self.what),
            v("paths", self.paths), v("profile", self.profile), v("after", self.after),
            v("checks", self.checks), v("log", self.log), v("enforcement", self.enforcement),
            v("touched", self.touched));
};
// The human asked for another run of the checks.
struct RerunAsked {
  static constexpr EventTag kTag{kLifecycle, "rerun_asked"};
  PF_FIELDS();
};
// The human changed how the change is checked.
struct ProfileChanged {
  static constexpr EventTag kTag{kLifecycle, "profile_changed"};
  Profile profile;
  PF_FIELDS(v.always("profile", self.profile));
};

struct Body
    : std::variant<Created, ConfigEdited, Preparing, SetupFailed, Failed, Tasked, Passed, Warned,
                   TreeMoved, Asked, Replied, Converged, ApprovalRequested, Decided, CommitPrepared,
                   CommitAbandoned, Committed, Packaged, MergePrepared, MergeAbandoned, Merged,
                   Cancelled, Closed, Resumed, Waived, Launched, PromptTaken, Hindered, Freed,
                   AgentExited, Evidence, RerunAsked, ProfileChanged> {
  using variant::variant;
  PF_COMPILED_ONCE(Body);
};

struct Event {
  std::string sender, recipient;
  int round = 0;
  Body body;
  std::vector<Finding> ledger = {};      // findings as they stand afterwards
  std::vector<AgentName> tell = {};      // who gets a line in the pane
  std::vector<AgentName> relaunch = {};  // whose process is started anew
  std::vector<AgentName> afresh = {};    // of these, who begins a new conversation
  bool clears = false;                   // the clean verdicts so far no longer count
  std::optional<Standing> then = {};
  std::vector<std::string> refs = {};

  // Of a journalled event.
  Seq seq = Seq::none;
  MessageId id = {};
  std::string ts = {};
  Moment moment = {};

  // The part of the payload that every event may carry.
  PF_FIELDS(v("ledger", self.ledger), v("clears", self.clears), v("tell", self.tell),
            v("relaunch", self.relaunch), v("afresh", self.afresh), v("then", self.then));
};

Draft encode(const Event& event);
Result<Event> decode(const Line& line);
// "PASS", "LIFECYCLE", …
std::string_view type_of(const Body& body);
// "created", "tree_moved", … for a LIFECYCLE event; the type in lower case for the others.
std::string_view slug_of(const Body& body);

}  // namespace pf::bubble
