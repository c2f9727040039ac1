#pragma once
#include "base/request.h"
#include "bubble/domain/event.h"

namespace pf::bubble {

struct CleanVerdict {
  AgentName agent;
  TreeId tree;
  Seq seq = Seq::none;
  PF_FIELDS(PF_ALWAYS(agent, tree, seq));
};

// An open HUMAN_QUESTION.
struct Question {
  MessageId id;
  Seq seq = Seq::none;
  QuestionKind kind = QuestionKind::ask;
  std::string from;  // an agent's name or "orchestrator"
  std::string text, ts;
  std::vector<FindingId> about;
  std::vector<std::string> checks = {};
  PF_FIELDS(PF_ALWAYS(id, seq, kind, from, text, ts), PF_IF_SET(about, checks));
};

// A line an agent has not yet answered by a command of its own. `cause` is the mark in the pane.
struct Delivery {
  Seq message = Seq::none;  // none: the briefing alone
  Seq cause = Seq::none;
  std::string type, sender, file;  // of the message; the file's name under artifacts/messages/
  PF_FIELDS(PF_ALWAYS(message, cause), PF_IF_SET(type, sender, file));
};

struct LastWarning {
  std::string verb, reason;
  Seq turn = Seq::none;
  friend bool operator==(const LastWarning&, const LastWarning&) = default;
  PF_FIELDS(PF_ALWAYS(verb, reason, turn));
};

struct Hindrance {
  Obstacle obstacle = Obstacle::dialog;
  std::string what, until, how, ts;
  Seq seq = Seq::none;
  PF_FIELDS(PF_ALWAYS(obstacle, what, until), PF_IF_SET(how), PF_ALWAYS(ts, seq));
};

struct Agent {
  AgentName name;
  Role launch_role = Role::implementer;  // the role its process was, or is to be, started in
  Seq wanted = Seq::none;                // the event that asked for a (new) process
  Seq launched = Seq::none;              // the cause the last process was started for
  bool exited = false;
  std::string enforcement = {};  // of its process: "sandbox", or why it is advisory
  std::string program = {};      // and what it is
  bool confirms = false;         // it tells when it has taken a prompt
  bool apart = false;            // it sees a checkout of the tree under review as the worktree
  Seq taken = Seq::none;         // the newest line that this process took as a prompt
  std::string conversation = {};
  bool spoken = false;  // something was said in it: it can be continued
  std::optional<Hindrance> hindrance = {};
  int hindrances = 0;           // in this turn
  std::string waited_out = {};  // what the last one in this turn said, once its time was over
  int conversations = 0;        // that this process has named
  std::vector<Delivery> deliveries = {};
  std::vector<LastWarning> warnings = {};  // of this turn
  PF_FIELDS(PF_ALWAYS(name, launch_role, wanted, launched, exited),
            PF_IF_SET(enforcement, program, confirms, apart), PF_ALWAYS(taken),
            PF_IF_SET(conversation, spoken, hindrance, hindrances, waited_out, conversations),
            PF_ALWAYS(deliveries), PF_IF_SET(warnings));
};

struct CommitIntent {
  CommitId commit, old_tip;
  TreeId tree;
  std::string message;
  bool squash = false;
  PF_FIELDS(PF_ALWAYS(commit, old_tip, tree, message, squash));
};

struct MergeIntent {
  std::string base_branch, checkout;
  CommitId old;
  TreeId tree;
  PF_FIELDS(PF_ALWAYS(base_branch, checkout, old, tree));
};

struct EvidenceSeen {
  TreeId tree;
  Hash profile;
  EvidenceStatus status = EvidenceStatus::green;
  int voids = 0;        // in a row
  bool waived = false;  // red, and the human let it pass
  Seq seq = Seq::none;
  std::string log;                      // the file's name under artifacts/
  std::vector<std::string> flaky = {};  // names of checks that were red at first
  bool cold = false;                    // began in an empty checkout
  PF_FIELDS(PF_ALWAYS(tree, profile, status, voids, seq), PF_IF_SET(waived, log, flaky, cold));
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
  std::vector<HiddenText> hidden;  // in the change that both agreed on
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
  CommitId merged;  // of the base branch, once it has the commit
  std::optional<BaseMove> sync;
  std::vector<std::string> conflicts;  // paths that hold marks until the implementer hands over
  std::optional<Continued> continues;
  std::string trouble;  // why setup failed, or the bubble did
  bool closed = false;
  std::vector<Agent> agents;
  std::vector<Action> actions;  // the last few
  RecentRequests requests;
  Mark mark;

  PF_FIELDS(PF_ALWAYS(id), v.always("state", self.phase),
            PF_ALWAYS(round, limit, roles, active_agent, active_role, active_since,
                      last_command_at),
            v.always("boot", self.last_activity.boot),
            v.always("mono_ms", self.last_activity.mono_ms),
            v.always("turn_boot", self.turn_opened.boot),
            v.always("turn_mono_ms", self.turn_opened.mono_ms),
            v.always("round_role_history", self.history),
            PF_ALWAYS(last_seq, turn, policy, config, place, task, rules, tip, target,
                      converged_tree, approved_tree, changes, out_of_scope, clean, tree_moves,
                      tree_suspect, held, findings, questions, evidence, rerun, meter, package,
                      commit, committed, merge, merged, trouble, closed, agents, actions, requests),
            PF_IF_SET(hidden, sync, conflicts, continues), v.always("last_mark", self.mark));
};
struct State : StateFields {
  PF_COMPILED_ONCE(State);

  // Rises when an old snapshot would be folded differently.
  static constexpr int kFold = 6;

  const Agent* agent(const AgentName& name) const { return find_in(agents, name, &Agent::name); }
  const Finding* finding(const FindingId& wanted) const {
    return find_in(findings, wanted, &Finding::id);
  }
  bool is_agent(const AgentName& name) const {
    return name == policy.roles.implementer || name == policy.roles.reviewer;
  }
  // Whether the reviewer on turn looks at a checkout of its own, not at the writer's directory.
  bool reviews_apart() const {
    const Agent* active = active_agent ? agent(*active_agent) : nullptr;
    return active_role == Role::reviewer && active != nullptr && active->apart;
  }
  // Whether what runs of the reviewer on turn, which is confined, is the process of another turn:
  // it has other files before it, and the one that is to review is still to be started.
  bool reviewer_is_due() const {
    const Agent* active = active_agent ? agent(*active_agent) : nullptr;
    return active_role == Role::reviewer && active != nullptr &&
           active->launched != active->wanted && active->enforcement == "sandbox";
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
