#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "base/envelope.h"
#include "base/tag.h"
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
  PF_FIELDS(v.always("state", self.phase), PF_ALWAYS(round, limit), Roles::fields(v, self.roles),
            PF_IF_SET(active_agent, active_role));
};

struct Created {
  static constexpr EventTag kTag{kLifecycle, "created"};
  Policy policy;
  Place place;
  std::string task;
  Hash config;  // of bubble.toml as written
  std::optional<Continued> continues = {};
  PF_FIELDS(PF_ALWAYS(task, place, policy, config), PF_IF_SET(continues));
};
// bubble.toml was edited by hand: the policy from here on.
struct ConfigEdited {
  static constexpr EventTag kTag{kLifecycle, "config_edited"};
  Policy policy;
  Hash before, after;
  PF_FIELDS(PF_ALWAYS(policy, before, after));
};
struct Preparing {
  static constexpr EventTag kTag{kLifecycle, "preparing"};
  PF_FIELDS();
};
struct SetupFailed {
  static constexpr EventTag kTag{kLifecycle, "setup_failed"};
  std::string what;
  PF_FIELDS(PF_ALWAYS(what));
};
struct Failed {
  static constexpr EventTag kTag{kLifecycle, "failed"};
  std::string reason;
  PF_FIELDS(PF_ALWAYS(reason));
};
// TASK: at the start (with git's rules then) or by a replan (the tree then).
struct Tasked {
  static constexpr EventTag kTag{"TASK", "task"};
  std::string task;
  bool replan = false;
  std::optional<TreeId> target = {};
  Hash git_fingerprint = {};  // in old journals
  Hash rules = {};            // the blob that holds them
  PF_FIELDS(PF_ALWAYS(task), PF_IF_SET(target, git_fingerprint, replan, rules));
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
  PF_FIELDS(PF_ALWAYS(verb, reason, what), PF_IF_SET(why, unmet));
};
struct TreeMoved {
  static constexpr EventTag kTag{kLifecycle, "tree_moved"};
  TreeId from, tree;
  PF_FIELDS(PF_ALWAYS(from, tree));
};
struct Asked {
  static constexpr EventTag kTag{"HUMAN_QUESTION", "human_question"};
  QuestionKind kind = QuestionKind::ask;
  std::string question;
  std::vector<FindingId> about = {};
  std::optional<AgentName> dead = {};    // agent_dead: whose process ended
  bool forgets = false;                  // and its conversation could not be continued
  std::vector<std::string> checks = {};  // base, unable: the names of those it is about
  PF_FIELDS(PF_ALWAYS(kind, question), PF_IF_SET(about, dead, forgets, checks));
};
struct Replied {
  static constexpr EventTag kTag{"HUMAN_REPLY", "human_reply"};
  MessageId question;
  std::string message;
  ReplyDecision decision = ReplyDecision::none;
  bool resumed = false, superseded = false, clean = false;  // clean: adds a clean verdict
  bool held = false;   // the reviewer's PASS that waited for the decision is handed on with it
  bool rerun = false;  // the checks are run once more
  PF_FIELDS(PF_ALWAYS(question, message, decision),
            PF_IF_SET(resumed, superseded, clean, held, rerun));
};
struct Converged {
  static constexpr EventTag kTag{"CONVERGENCE", "convergence"};
  std::string summary;
  TreeId tree;
  std::vector<AgentName> reviewers;
  std::optional<PackageBrought> package = {};
  PF_FIELDS(PF_ALWAYS(summary, tree, reviewers), PF_IF_SET(package));
};
struct ApprovalRequested {
  static constexpr EventTag kTag{"APPROVAL_REQUEST", "approval_request"};
  TreeId tree;
  ChangeStats changes;
  std::vector<HiddenText> hidden = {};
  PF_FIELDS(PF_ALWAYS(tree, changes), PF_IF_SET(hidden));
};
struct Decided {
  static constexpr EventTag kTag{"APPROVAL_DECISION", "approval_decision"};
  Approval decision = Approval::approve;
  TreeId tree;
  std::string message;
  std::vector<std::string> checked = {};  // the manual checks that were gone through
  PF_FIELDS(PF_ALWAYS(decision, tree), PF_IF_SET(message, checked));
};
struct CommitPrepared {
  static constexpr EventTag kTag{kLifecycle, "commit_prepared"};
  CommitId commit, old_tip;
  TreeId tree;
  std::string message;
  std::string scope_override;
  bool squash = false, hooks = false;  // hooks: the repository's own were run
  PF_FIELDS(PF_ALWAYS(commit, old_tip, tree, message), PF_IF_SET(scope_override, squash, hooks));
};
// The branch was not where it should be: the intent is void, the approval stands.
struct CommitAbandoned {
  static constexpr EventTag kTag{kLifecycle, "commit_abandoned"};
  std::string reason;
  PF_FIELDS(PF_ALWAYS(reason));
};
struct Committed {
  static constexpr EventTag kTag{kLifecycle, "committed"};
  CommitId commit;
  PF_FIELDS(PF_ALWAYS(commit));
};
struct Packaged {  // DONE_PACKAGE
  static constexpr EventTag kTag{"DONE_PACKAGE", "done_package"};
  CommitId commit;
  TreeId tree;
  std::string branch, message;
  std::vector<ChangedFile> files;
  Hash head;
  PF_FIELDS(PF_ALWAYS(commit, tree, branch, message, files, head));
};
// The commit is to go into its base branch, which was at `old` then and will hold `tree`.
struct MergePrepared {
  static constexpr EventTag kTag{kLifecycle, "merge_prepared"};
  std::string base_branch, checkout;
  CommitId old;
  TreeId tree = {};            // none in old journals
  std::string unchecked = {};  // why the human wants it although no green run is known of it
  PF_FIELDS(PF_ALWAYS(base_branch, old), PF_IF_SET(checkout, tree, unchecked));
};
struct MergeAbandoned {
  static constexpr EventTag kTag{kLifecycle, "merge_abandoned"};
  std::string reason;
  PF_FIELDS(PF_ALWAYS(reason));
};
struct Merged {
  static constexpr EventTag kTag{kLifecycle, "merged"};
  CommitId commit;  // of the base branch
  PF_FIELDS(PF_ALWAYS(commit));
};
// The base branch is to come into the bubble's files.
struct SyncPrepared {
  static constexpr EventTag kTag{kLifecycle, "sync_prepared"};
  BaseMove move;
  PF_FIELDS(BaseMove::fields(v, self.move));
};
struct SyncAbandoned {
  static constexpr EventTag kTag{kLifecycle, "sync_abandoned"};
  std::string reason;
  PF_FIELDS(PF_ALWAYS(reason));
};
// It is in them: nothing that was judged before counts.
struct Synced {
  static constexpr EventTag kTag{kLifecycle, "synced"};
  BaseMove move;
  std::optional<TreeId> target = {};         // under review, or handed over last
  std::vector<std::string> to_resolve = {};  // all paths with conflicts, of earlier syncs too
  PF_FIELDS(BaseMove::fields(v, self.move), PF_IF_SET(target, to_resolve));
};
struct Cancelled {
  static constexpr EventTag kTag{kLifecycle, "cancelled"};
  std::string reason;
  PF_FIELDS(PF_IF_SET(reason));
};
// A final bubble's session is closed and its loose work is kept under `refs`.
struct Closed {
  static constexpr EventTag kTag{kLifecycle, "closed"};
  std::vector<std::string> salvage = {};
  std::string unsaved = {};  // why there are none: the work is in the worktree alone
  PF_FIELDS(PF_IF_SET(salvage, unsaved));
};
struct Resumed {
  static constexpr EventTag kTag{kLifecycle, "resumed"};
  PF_FIELDS();
};
struct Waived {
  static constexpr EventTag kTag{kLifecycle, "waived"};
  FindingId finding;
  std::string reason;
  PF_FIELDS(PF_ALWAYS(finding, reason));
};
// A process runs in the agent's pane, for the launch that event `cause` asked for.
struct Launched {
  static constexpr EventTag kTag{kLifecycle, "launched"};
  AgentName agent;
  Role role = Role::implementer;
  Seq cause = Seq::none;
  std::string pane, key;
  std::string enforcement = {};
  std::string conversation = {};   // its id, when it was chosen before or is continued
  std::string program = {};        // "claude 2.1.325", and what is doubtful about it
  bool confirms = false;           // the program tells when it has taken a prompt
  std::optional<Seq> covers = {};  // a line that it does not need: it only has to wait
  bool apart = false;              // a reviewer that sees a checkout of its own as the worktree
  PF_FIELDS(PF_ALWAYS(agent, role, cause, pane, key),
            PF_IF_SET(enforcement, conversation, program, confirms, covers, apart));
};
// The agent's program took the line that was delivered for `cause` as a prompt.
struct PromptTaken {
  static constexpr EventTag kTag{kLifecycle, "prompt_taken"};
  AgentName agent;
  Seq cause = Seq::none;
  std::string conversation;
  PF_FIELDS(PF_ALWAYS(agent, cause), PF_IF_SET(conversation));
};
struct Hindered {
  static constexpr EventTag kTag{kLifecycle, "hindered"};
  AgentName agent;
  Obstacle obstacle = Obstacle::dialog;
  std::string what;
  std::string until = {};  // wall time at which it may go on, when that is known
  std::string how = {};    // known by its hook or its screen
  PF_FIELDS(PF_ALWAYS(agent, obstacle, what), PF_IF_SET(until, how));
};
struct Freed {
  static constexpr EventTag kTag{kLifecycle, "freed"};
  AgentName agent;
  bool again = false;  // it waits at its prompt: it is to be told once more
  PF_FIELDS(PF_ALWAYS(agent), PF_IF_SET(again));
};
struct AgentExited {
  static constexpr EventTag kTag{kLifecycle, "agent_exited"};
  AgentName agent;
  std::string what;
  bool forgets = false;  // its conversation could not be continued
  PF_FIELDS(PF_ALWAYS(agent, what), PF_IF_SET(forgets));
};
// One check of a run.
struct CheckRun {
  std::string name, command;
  int code = 0;
  std::int64_t ms = 0;
  bool timed_out = false;
  bool flaky = false;       // red at first, then green on the same tree
  std::string unable = {};  // why it says nothing
  PF_FIELDS(PF_ALWAYS(name, command, code, ms), PF_IF_SET(timed_out, flaky, unable));
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
  bool cold = false;                      // began in an empty checkout
  PF_FIELDS(PF_ALWAYS(tree, status),
            PF_IF_SET(what, paths, profile, after, checks, log, enforcement, touched, cold));
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
  PF_FIELDS(PF_ALWAYS(profile));
};

struct Body : std::variant<Created, ConfigEdited, Preparing, SetupFailed, Failed, Tasked, Passed,
                           Warned, TreeMoved, Asked, Replied, Converged, ApprovalRequested, Decided,
                           CommitPrepared, CommitAbandoned, Committed, Packaged, MergePrepared,
                           MergeAbandoned, Merged, SyncPrepared, SyncAbandoned, Synced, Cancelled,
                           Closed, Resumed, Waived, Launched, PromptTaken, Hindered, Freed,
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
  PF_FIELDS(PF_IF_SET(ledger, clears, tell, relaunch, afresh, then));
};

Draft encode(const Event& event);
Result<Event> decode(const Line& line);

}  // namespace pf::bubble
