#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "base/envelope.h"
#include "base/fields.h"
#include "base/tag.h"
#include "role/domain/landing.h"

// What happened, with its outcome: what the register says, who has the role, how far a landing is,
// which branch is wanted. `apply` only copies these; every choice was made by `decide`.
namespace pf::role {

// How an agent's run came to its end.
enum class Ending { switched, silent, failed, lost };
PF_NAMES(Ending, switched, silent, failed, lost);

// Who has the role after a switch; every one opens a new turn.
struct Standing {
  std::optional<Taken> taken = {};
  std::optional<Role> asked_by = {};  // whose questions wait
  bool for_human = false;             // no role can answer them
  PF_FIELDS(PF_IF_SET(taken, asked_by, for_human));
};

// The first event: the register is new, or taken over as it was found.
struct Initialized {
  static constexpr EventTag kTag{"role.initialized"};
  Policy policy;
  bool adopted = false;
  PF_FIELDS(PF_ALWAYS(policy, adopted));
};
struct Configured {
  static constexpr EventTag kTag{"role.configured"};
  Policy policy;
  PF_FIELDS(PF_ALWAYS(policy));
};
// The human's standing order.
struct AutopilotSet {
  static constexpr EventTag kTag{"human.autopilot"};
  Autopilot from = Autopilot::off, to = Autopilot::off;
  std::string without_checks = {};  // why it may go on without any
  PF_FIELDS(PF_ALWAYS(from, to), PF_IF_SET(without_checks));
};
// Somebody else changed state.json; `verb` is the command that found it, `keys` what differs, `run`
// the one at work then, whose agent may have done it. `ordered`: the autopilot that is left.
struct RegisterEdited {
  static constexpr EventTag kTag{"REGISTER_EDITED"};
  std::string verb;
  Hash before, after;
  std::vector<std::string> keys;
  int run = 0;
  std::optional<Autopilot> ordered = {};
  PF_FIELDS(PF_ALWAYS(verb, before, after, keys), PF_IF_SET(run, ordered));
};
struct FileWritten {
  static constexpr EventTag kTag{"file.written"};
  std::string path;
  Hash hash;
  PF_FIELDS(PF_ALWAYS(path, hash));
};
// A file was looked at; no problems: it is sound again.
struct Validated {
  static constexpr EventTag kTag{"document.validated"};
  FileProblems found;
  PF_FIELDS(FileProblems::fields(v, self.found));
};
struct Started {
  static constexpr EventTag kTag{"role.started"};
  Role role = Role::planner;
  std::string replaced = {};
  PF_FIELDS(PF_ALWAYS(role), PF_IF_SET(replaced));
};
struct HandedOff {
  static constexpr EventTag kTag{"role.handoff"};
  Role role = Role::planner;
  Role to = Role::coder;
  std::string feature = {}, task = {}, risk = {};
  PF_FIELDS(PF_ALWAYS(role, to), PF_IF_SET(feature, task, risk));
};
// `by` is who can unblock.
struct Blocked {
  static constexpr EventTag kTag{"role.blocked"};
  Role role = Role::coder;
  Role by = Role::planner;
  std::string why = {};
  bool human = false;  // who answers in that role's place
  PF_FIELDS(PF_ALWAYS(role, by), PF_IF_SET(why, human));
};
// `next` by number order; nothing: it was the last one.
struct TaskApproved {
  static constexpr EventTag kTag{"task.approved"};
  std::string feature, task;
  std::optional<std::string> next;
  PF_FIELDS(PF_ALWAYS(feature, task, next));
};
struct FeatureApproved {
  static constexpr EventTag kTag{"feature.approved"};
  std::string feature;
  PF_FIELDS(PF_ALWAYS(feature));
};
struct BranchReady {
  static constexpr EventTag kTag{"branch.ready"};
  std::string name;
  PF_FIELDS(PF_ALWAYS(name));
};
struct CommitPrepared {
  static constexpr EventTag kTag{"commit.prepared"};
  int landing = 0;
  CommitId commit;
  std::string salvage = {};
  PF_FIELDS(PF_ALWAYS(landing, commit), PF_IF_SET(salvage));
};
struct ChecksFiled {
  static constexpr EventTag kTag{"checks.filed"};
  int landing = 0;
  bool passed = false;
  std::string what = {};
  std::vector<std::string> artifacts = {};
  bool of_merge = false;  // of what the branch it goes into would hold
  std::string log_end = {};
  const std::vector<std::string>& refs() const { return artifacts; }
  PF_FIELDS(PF_ALWAYS(landing, passed), PF_IF_SET(what, artifacts, of_merge, log_end));
};
// The human lets it go on.
struct LandingApproved {
  static constexpr EventTag kTag{"human.approved"};
  int landing = 0;
  PF_FIELDS(PF_ALWAYS(landing));
};
struct LandingDeclined {
  static constexpr EventTag kTag{"human.declined"};
  int landing = 0;
  std::string why = {};
  PF_FIELDS(PF_ALWAYS(landing), PF_IF_SET(why));
};
// The human sends a feature back to its coder, with the work as it is. `landing`: what waited, or
// had stopped; 0 for none.
struct SentBack {
  static constexpr EventTag kTag{"human.rework"};
  std::string feature, message;
  std::string task = {};
  int landing = 0;
  PF_FIELDS(PF_ALWAYS(feature, message), PF_IF_SET(task, landing));
};
// What was declined is on the feature's branch, or `error` says why it is not.
struct WorkKept {
  static constexpr EventTag kTag{"work.kept"};
  int landing = 0;
  std::string error = {};
  PF_FIELDS(PF_ALWAYS(landing), PF_IF_SET(error));
};
struct MergeMade {
  static constexpr EventTag kTag{"merge.prepared"};
  int landing = 0;
  CommitId onto, merged;
  PF_FIELDS(PF_ALWAYS(landing, onto, merged));
};
struct CommitMade {
  static constexpr EventTag kTag{"commit.made"};
  int landing = 0;
  PF_FIELDS(PF_ALWAYS(landing));
};
// Marked before it is opened, so that there is at most one for a head.
struct PullRequestBegun {
  static constexpr EventTag kTag{"pull_request.begun"};
  int landing = 0;
  CommitId head;
  PF_FIELDS(PF_ALWAYS(landing, head));
};
struct PullRequestFiled {
  static constexpr EventTag kTag{"pull_request.filed"};
  int landing = 0;
  std::string url = {}, error = {};
  PF_FIELDS(PF_ALWAYS(landing), PF_IF_SET(url, error));
};
struct BranchMoved {
  static constexpr EventTag kTag{"merge.made"};
  int landing = 0;
  PF_FIELDS(PF_ALWAYS(landing));
};
struct TreeCleared {
  static constexpr EventTag kTag{"tree.cleared"};
  int landing = 0;
  PF_FIELDS(PF_ALWAYS(landing));
};
// Something went wrong on the way; nothing that had not moved was moved.
struct LandingStopped {
  static constexpr EventTag kTag{"landing.stopped"};
  int landing = 0;
  Stage stage = Stage::prepare;
  std::string why;
  PF_FIELDS(PF_ALWAYS(landing, stage, why));
};
struct SummaryPosted {
  static constexpr EventTag kTag{"summary.posted"};
  int landing = 0;
  std::string text;
  PF_FIELDS(PF_ALWAYS(landing, text));
};
struct AutomationBegun {
  static constexpr EventTag kTag{"run.begun"};
  std::string run_id;
  PF_FIELDS(PF_ALWAYS(run_id));
};
struct AutomationEnded {
  static constexpr EventTag kTag{"run.over"};
  std::string why;
  PF_FIELDS(PF_ALWAYS(why));
};
// Others may work in the checkout until somebody acts in a role again.
struct Released {
  static constexpr EventTag kTag{"checkout.released"};
  PF_FIELDS();
};
struct RunStarted {
  static constexpr EventTag kTag{"run.started"};
  int run = 0;
  Role role = Role::planner;
  AgentName agent;
  std::string transcript = {};
  PF_FIELDS(PF_ALWAYS(run, role, agent), PF_IF_SET(transcript));
};
struct RunEnded {
  static constexpr EventTag kTag{"run.ended"};
  int run = 0;
  Role role = Role::planner;
  Ending ending = Ending::switched;
  int exit = 0;
  std::string what = {};
  PF_FIELDS(PF_ALWAYS(run, role, ending, exit), PF_IF_SET(what));
};
// Written before the child is made.
struct Delegated {
  static constexpr EventTag kTag{"DELEGATED"};
  CoderBy by = CoderBy::plan;
  std::string child;
  PF_FIELDS(PF_ALWAYS(by, child));
};
struct ChildEnded {
  static constexpr EventTag kTag{"child.ended"};
  std::string child;
  bool finished = false;
  std::string what = {};
  PF_FIELDS(PF_ALWAYS(child, finished), PF_IF_SET(what));
};
struct Warned {
  static constexpr EventTag kTag{"PROTOCOL_WARNING"};
  std::string verb, reason, what, why = {};
  PF_FIELDS(PF_ALWAYS(verb, reason, what), PF_IF_SET(why));
};

struct Body
    : std::variant<Initialized, Configured, AutopilotSet, RegisterEdited, FileWritten, Validated,
                   Started, HandedOff, Blocked, TaskApproved, FeatureApproved, BranchReady,
                   CommitPrepared, ChecksFiled, LandingApproved, LandingDeclined, SentBack,
                   WorkKept, MergeMade, CommitMade, PullRequestBegun, PullRequestFiled, BranchMoved,
                   TreeCleared, LandingStopped, SummaryPosted, AutomationBegun, AutomationEnded,
                   Released, RunStarted, RunEnded, Delegated, ChildEnded, Warned> {
  using variant::variant;
  PF_COMPILED_ONCE(Body);
};

struct Event {
  std::string sender, recipient;
  int round = 0;  // how many landings there were
  Body body;
  std::optional<RoleRegister> now = {};  // what the register says
  std::optional<RegisterWrite> write = {};
  std::optional<TaskWrite> task_write = {};
  std::optional<Work> work = {};
  bool ends_work = false;
  bool clean = false;  // nothing lay there that is not for the next feature
  std::optional<BranchWanted> branch = {};
  std::optional<Landing> landing = {};
  std::optional<Standing> then = {};
  std::optional<Effort> effort = {};  // one without runs begins anew, time and all

  // Of a journalled event.
  Seq seq = Seq::none;
  MessageId id = {};
  std::string ts = {};
  Moment moment = {};

  // The part of the payload that every event may carry.
  PF_FIELDS(PF_IF_SET(now, write, task_write, work, ends_work, clean), v("wants", self.branch),
            v("lands", self.landing), PF_IF_SET(then, effort));
};

Draft encode(const Event& event);
Result<Event> decode(const Line& line);

}  // namespace pf::role
