#pragma once
#include "base/compiled_once.h"
#include "base/fields.h"
#include "base/request.h"
#include "base/story.h"
#include "bubble/domain/event.h"
#include "bubble/domain/types.h"

namespace pf::bubble {

struct CleanVerdict {
  AgentName agent;
  TreeId tree;
  Seq seq = Seq::none;
  PF_FIELDS(v.always("agent", self.agent), v.always("tree", self.tree), v.always("seq", self.seq));
};

// An open HUMAN_QUESTION.
struct Question {
  MessageId id;
  Seq seq = Seq::none;
  QuestionKind kind = QuestionKind::ask;
  std::string from;  // an agent's name or "orchestrator"
  std::string text;
  std::string ts;
  std::vector<FindingId> about;
  PF_FIELDS(v.always("id", self.id), v.always("seq", self.seq), v.always("kind", self.kind),
            v.always("from", self.from), v.always("text", self.text), v.always("ts", self.ts),
            v("about", self.about));
};

// A line an agent has not yet answered by a command of its own. `cause` is the mark in the pane.
struct Delivery {
  Seq message = Seq::none;  // none: the briefing alone
  Seq cause = Seq::none;
  std::string type, sender, file;  // of the message; the file's name under artifacts/messages/
  PF_FIELDS(v.always("message", self.message), v.always("cause", self.cause), v("type", self.type),
            v("sender", self.sender), v("file", self.file));
};

struct LastWarning {
  std::string verb, reason;
  Seq turn = Seq::none;
  friend bool operator==(const LastWarning&, const LastWarning&) = default;
  PF_FIELDS(v.always("verb", self.verb), v.always("reason", self.reason),
            v.always("turn", self.turn));
};

struct Hindrance {
  Obstacle obstacle = Obstacle::dialog;
  std::string what, until, how, ts;
  Seq seq = Seq::none;
  PF_FIELDS(v.always("obstacle", self.obstacle), v.always("what", self.what),
            v.always("until", self.until), v("how", self.how), v.always("ts", self.ts),
            v.always("seq", self.seq));
};

struct Agent {
  AgentName name;
  Role launch_role = Role::implementer;  // the role its process was, or is to be, started in
  Seq wanted = Seq::none;                // the event that asked for a (new) process
  Seq launched = Seq::none;              // the cause the last process was started for
  bool exited = false;
  std::string enforcement;  // of its process: "sandbox", or why it is advisory
  std::string program;      // and what it is
  bool confirms = false;    // it tells when it has taken a prompt
  Seq taken = Seq::none;    // the newest line that this process took as a prompt
  std::string conversation;
  bool spoken = false;  // something was said in it: it can be continued
  std::optional<Hindrance> hindrance;
  int hindrances = 0;      // in this turn
  std::string waited_out;  // what the last one in this turn said, once its time was over
  int conversations = 0;   // that this process has named
  std::vector<Delivery> deliveries;
  std::vector<LastWarning> warnings;  // of this turn
  PF_FIELDS(v.always("name", self.name), v.always("launch_role", self.launch_role),
            v.always("wanted", self.wanted), v.always("launched", self.launched),
            v.always("exited", self.exited), v("enforcement", self.enforcement),
            v("program", self.program), v("confirms", self.confirms), v.always("taken", self.taken),
            v("conversation", self.conversation), v("spoken", self.spoken),
            v("hindrance", self.hindrance), v("hindrances", self.hindrances),
            v("waited_out", self.waited_out), v("conversations", self.conversations),
            v.always("deliveries", self.deliveries), v("warnings", self.warnings));
};

struct CommitIntent {
  CommitId commit, old_tip;
  TreeId tree;
  std::string message;
  bool squash = false;
  PF_FIELDS(v.always("commit", self.commit), v.always("old_tip", self.old_tip),
            v.always("tree", self.tree), v.always("message", self.message),
            v.always("squash", self.squash));
};

struct MergeIntent {
  std::string base_branch, checkout;
  CommitId old;
  PF_FIELDS(v.always("base_branch", self.base_branch), v.always("checkout", self.checkout),
            v.always("old", self.old));
};

struct EvidenceSeen {
  TreeId tree;
  Hash profile;
  EvidenceStatus status = EvidenceStatus::green;
  int voids = 0;        // in a row
  bool waived = false;  // red, and the human let it pass
  Seq seq = Seq::none;
  std::string log;  // the file's name under artifacts/
  PF_FIELDS(v.always("tree", self.tree), v.always("profile", self.profile),
            v.always("status", self.status), v.always("voids", self.voids),
            v.always("seq", self.seq), v("waived", self.waived), v("log", self.log));
};

// Everything folded from the journal.
struct StateFields {
  BubbleId id;
  Phase phase = Phase::none;
  int round = 0;
  int limit = 0;
  Roles roles;
  std::optional<AgentName> active_agent;
  std::optional<Role> active_role;
  std::string active_since;     // wall time the turn was opened
  std::string last_command_at;  // wall time of the last protocol or human command
  Moment last_activity;         // what the watchdog counts from
  Moment turn_opened;
  std::vector<RoundRoles> history;
  Seq last_seq = Seq::none;
  Seq turn = Seq::none;  // the event that opened the turn

  Policy policy;
  Hash config;  // of bubble.toml as last adopted
  Place place;
  std::string task;
  Hash rules;  // git's as they were at the start: a blob
  CommitId tip;
  std::optional<TreeId> target, converged_tree, approved_tree;
  std::optional<ChangeStats> changes;
  std::vector<std::string> out_of_scope;
  std::vector<CleanVerdict> clean;
  int tree_moves = 0;            // in this round
  Seq tree_suspect = Seq::none;  // a review was refused for another tree; to be looked at
  std::optional<Delivery> held;  // a reviewer's PASS that waits for the human's decision
  std::vector<Finding> findings;
  std::vector<Question> questions;
  std::vector<EvidenceSeen> evidence;  // the last result for each tree and profile, newest first
  Seq rerun = Seq::none;               // the human asked for another run
  std::vector<RoundProgress> meter;    // of the last rounds
  std::vector<PartWritten> package;    // of the approval package, what the agents have written
  std::optional<CommitIntent> commit;
  CommitId committed;
  std::optional<MergeIntent> merge;
  CommitId merged;      // of the base branch, once it has the commit
  std::string trouble;  // why setup failed, or the bubble did
  bool closed = false;
  std::vector<Agent> agents;
  std::vector<Action> actions;  // the last few
  RecentRequests requests;
  Mark mark;

  PF_FIELDS(v.always("id", self.id), v.always("state", self.phase), v.always("round", self.round),
            v.always("limit", self.limit), v.always("roles", self.roles),
            v.always("active_agent", self.active_agent), v.always("active_role", self.active_role),
            v.always("active_since", self.active_since),
            v.always("last_command_at", self.last_command_at),
            v.always("boot", self.last_activity.boot),
            v.always("mono_ms", self.last_activity.mono_ms),
            v.always("turn_boot", self.turn_opened.boot),
            v.always("turn_mono_ms", self.turn_opened.mono_ms),
            v.always("round_role_history", self.history), v.always("last_seq", self.last_seq),
            v.always("turn", self.turn), v.always("policy", self.policy),
            v.always("config", self.config), v.always("place", self.place),
            v.always("task", self.task), v.always("rules", self.rules), v.always("tip", self.tip),
            v.always("target", self.target), v.always("converged_tree", self.converged_tree),
            v.always("approved_tree", self.approved_tree), v.always("changes", self.changes),
            v.always("out_of_scope", self.out_of_scope), v.always("clean", self.clean),
            v.always("tree_moves", self.tree_moves), v.always("tree_suspect", self.tree_suspect),
            v.always("held", self.held), v.always("findings", self.findings),
            v.always("questions", self.questions), v.always("evidence", self.evidence),
            v.always("rerun", self.rerun), v.always("meter", self.meter),
            v.always("package", self.package), v.always("commit", self.commit),
            v.always("committed", self.committed), v.always("merge", self.merge),
            v.always("merged", self.merged), v.always("trouble", self.trouble),
            v.always("closed", self.closed), v.always("agents", self.agents),
            v.always("actions", self.actions), v.always("requests", self.requests),
            v.always("last_mark", self.mark));
};
struct State : StateFields {
  PF_COMPILED_ONCE(State);

  // Rises when an old snapshot would be folded differently.
  static constexpr int kFold = 5;

  const Agent* agent(const AgentName& name) const;
  const Finding* finding(const FindingId& wanted) const;
  bool is_agent(const AgentName& name) const {
    return name == policy.roles.implementer || name == policy.roles.reviewer;
  }
  // Of an agent of this bubble.
  Role role_of(const AgentName& name) const {
    return name == roles.implementer ? Role::implementer : Role::reviewer;
  }
};

// As the envelope has it.
inline int round_of(const State& state) { return state.round; }

// Pure, total, free of policy: copies the event's outcome into the state.
State apply(State state, const Event& event);
// The same for a journal's line; also keeps the marks that recognise a retried request.
Result<State> fold(State state, const Line& line);

}  // namespace pf::bubble
