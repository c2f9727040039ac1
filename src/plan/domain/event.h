#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "base/envelope.h"
#include "base/facts.h"
#include "base/fields.h"
#include "base/tag.h"
#include "plan/domain/types.h"

// What happened, with its outcome: which step, who is next, which run is to be started, what is to
// be written. `apply` only copies these; every choice was made by `decide`.
namespace pf::plan {

// Why no agent goes on, and who does when the user has had a word.
struct Halting {
  HaltKind kind = HaltKind::asked;
  Role role = Role::coder;
  std::string text = {};
  PF_FIELDS(PF_ALWAYS(kind, role), PF_IF_SET(text));
};

// Where the plan stands after an event; every one opens a new turn.
struct Standing {
  Phase phase = Phase::none;
  std::string step = {};
  int run = 0;  // the one whose tool calls count; 0 for none
  std::optional<Halting> halt = {};
  bool new_budget = false;
  PF_FIELDS(v.always("state", self.phase), PF_ALWAYS(step), PF_IF_SET(run, halt, new_budget));
};

struct Opened {
  static constexpr EventTag kTag{"plan.opened"};
  Policy policy;
  Hash plan;  // of plan.md
  Hash spec;  // of spec.md; "" when there is none
  std::vector<StepState> steps;
  std::string restored = {};  // the damaged log this one takes the place of
  std::string form = {};      // how the steps are read, from here on (document::ways_of)
  bool form_said = false;     // by the user's word
  bool delegated = false;     // by the roles
  // Where it began; none in old logs and where git cannot tell.
  std::string branch = {};  // checked out in the user's own checkout
  CommitId base = {};
  TreeId tree = {};  // of the files
  PF_FIELDS(PF_ALWAYS(policy, plan), PF_IF_SET(spec), PF_ALWAYS(steps),
            PF_IF_SET(restored, form, form_said, delegated, branch, base, tree));
};
// plan.md was edited by somebody else. A named step that is not ours wins.
struct RegisterEdited {
  static constexpr EventTag kTag{"plan.edited"};
  std::string verb;  // the command that found it
  Hash before, after;
  std::vector<StepState> steps;
  std::string from = {}, active = {};  // the active step before and now
  int during = 0;                      // the run whose agent may have made it; 0 for none
  bool moved() const { return from != active; }
  PF_FIELDS(PF_ALWAYS(verb, before, after, steps, from, active), PF_IF_SET(during));
};
struct RegisterWritten {
  static constexpr EventTag kTag{"plan.written"};
  Hash hash;
  PF_FIELDS(PF_ALWAYS(hash));
};
// plan.md or spec.md was looked at; no problems: it is sound again.
struct Validated {
  static constexpr EventTag kTag{"document.validated"};
  FileProblems found;
  PF_FIELDS(FileProblems::fields(v, self.found));
};
struct ReviewRequested {
  static constexpr EventTag kTag{"coder.request_review"};
  int run = 0;
  std::string step, note;
  PF_FIELDS(PF_ALWAYS(run, step), PF_IF_SET(note));
};
struct ChangesRequested {
  static constexpr EventTag kTag{"reviewer.request_changes"};
  int run = 0;
  std::string step, text;
  int count = 0;  // of the step, with this one
  PF_FIELDS(PF_ALWAYS(run, step, text, count));
};
struct Approved {
  static constexpr EventTag kTag{"reviewer.approve"};
  int run = 0;
  std::string step, note;
  std::optional<std::string> next;  // nothing: no pending steps
  TreeId tree = {};                 // the files as they were approved
  std::string untaken = {};         // why they could not be taken
  PF_FIELDS(PF_ALWAYS(run, step), PF_IF_SET(note), PF_ALWAYS(next), PF_IF_SET(tree, untaken));
};
struct UserAsked {
  static constexpr EventTag kTag{"agent.ask_user"};
  int run = 0;
  Role role = Role::coder;
  std::string message;
  PF_FIELDS(PF_ALWAYS(run, role, message));
};
struct UserReplied {
  static constexpr EventTag kTag{"user.reply"};
  MessageId question;
  std::string message;
  std::optional<Role> to;  // whose turn it is; nobody's when the plan ends
  PF_FIELDS(PF_ALWAYS(question, message), PF_IF_SET(to));
};
// The loop guard, the time budget, or a second run without a tool call.
struct Parked {
  static constexpr EventTag kTag{"flow.parked"};
  HaltKind kind = HaltKind::guard;
  std::string step, text;
  PF_FIELDS(PF_ALWAYS(kind, step, text));
};
struct SentBack {
  static constexpr EventTag kTag{"run.sent_back"};
  int run = 0;
  Role role = Role::coder;
  PF_FIELDS(PF_ALWAYS(run, role));
};
struct GuardReset {
  static constexpr EventTag kTag{"user.reset_guard"};
  std::string step;
  int count = 0;  // before
  PF_FIELDS(PF_ALWAYS(step, count));
};
struct Forced {
  static constexpr EventTag kTag{"user.force"};
  Role role = Role::coder;
  std::string message;
  PF_FIELDS(PF_ALWAYS(role), PF_IF_SET(message));
};
struct Paused {
  static constexpr EventTag kTag{"user.pause"};
  PF_FIELDS();
};
struct Resumed {
  static constexpr EventTag kTag{"user.resume"};
  Role role = Role::coder;
  PF_FIELDS(PF_ALWAYS(role));
};
struct ResetDone {
  static constexpr EventTag kTag{"user.reset"};
  std::string step;
  PF_FIELDS(PF_ALWAYS(step));
};
// What the user said once is not told to agents any more.
struct NoteRemoved {
  static constexpr EventTag kTag{"user.remove_note"};
  int number = 0;
  PF_FIELDS(PF_ALWAYS(number));
};
// Others may work in the checkout until an agent of this plan goes on.
struct Released {
  static constexpr EventTag kTag{"user.release"};
  PF_FIELDS();
};
struct ErrorRaised {
  static constexpr EventTag kTag{"system.error"};
  std::string what;
  int run = 0;
  PF_FIELDS(PF_ALWAYS(what), PF_IF_SET(run));
};
struct RunStarted {
  static constexpr EventTag kTag{"run.started"};
  int run = 0;
  Role role = Role::coder;
  AgentName agent;
  std::string step, conversation, transcript;
  std::string program = {}, enforcement = {};
  std::vector<std::string> refs() const {
    return transcript.empty() ? std::vector<std::string>{} : std::vector{transcript};
  }
  PF_FIELDS(PF_ALWAYS(run, role, agent, step), PF_IF_SET(conversation), PF_ALWAYS(transcript),
            PF_IF_SET(program, enforcement));
};
// The answer takes longer than a tool call lasts: the run ends and its conversation waits.
struct RunParked {
  static constexpr EventTag kTag{"run.parked"};
  int run = 0;
  Role role = Role::coder;
  PF_FIELDS(PF_ALWAYS(run, role));
};
struct RunEnded {
  static constexpr EventTag kTag{"run.ended"};
  int run = 0;
  Role role = Role::coder;
  Ending ending = Ending::handed_over;
  int exit = 0;
  std::string what = {}, tool = {};  // tool: the last one of ours that it called
  std::string conversation = {};
  std::int64_t input_tokens = 0, output_tokens = 0;
  PF_FIELDS(PF_ALWAYS(run, role, ending, exit),
            PF_IF_SET(what, tool, conversation, input_tokens, output_tokens));
};
// A tool of the agent's own that is worth a line: blocked writes above all.
struct ToolNoted {
  static constexpr EventTag kTag{"run.tool"};
  int run = 0;
  Role role = Role::coder;
  std::string tool, what;
  bool blocked = false;
  PF_FIELDS(PF_ALWAYS(run, role, tool, what), PF_IF_SET(blocked));
};
struct Explained {
  static constexpr EventTag kTag{"plan.explained"};
  int run = 0;
  std::string file;
  PF_FIELDS(PF_ALWAYS(run, file));
};
struct Finished {
  static constexpr EventTag kTag{"plan.finished"};
  PF_FIELDS();
};
// The branch is to go from one commit to another; then it has.
struct LandingPrepared {
  static constexpr EventTag kTag{"plan.landing_prepared"};
  std::string branch;
  CommitId from, to;
  std::vector<StepCommit> commits;
  Seq last = Seq::none;  // the verdict that it lands up to
  PF_FIELDS(PF_ALWAYS(branch, from, to, commits, last));
};
struct LandingAbandoned {
  static constexpr EventTag kTag{"plan.landing_abandoned"};
  std::string reason;
  PF_FIELDS(PF_ALWAYS(reason));
};
struct Landed {
  static constexpr EventTag kTag{"plan.landed"};
  std::string branch;
  CommitId commit;
  PF_FIELDS(PF_ALWAYS(branch, commit));
};
// What landed on the plan's own branch comes into the one it began at.
struct MergePrepared {
  static constexpr EventTag kTag{"plan.merge_prepared"};
  std::string branch;
  CommitId old;
  TreeId tree;
  std::string unchecked = {};  // why the user wants it although no green run is known of it
  PF_FIELDS(PF_ALWAYS(branch, old, tree), PF_IF_SET(unchecked));
};
struct MergeAbandoned {
  static constexpr EventTag kTag{"plan.merge_abandoned"};
  std::string reason;
  PF_FIELDS(PF_ALWAYS(reason));
};
struct Merged {
  static constexpr EventTag kTag{"plan.merged"};
  std::string branch;
  CommitId commit;
  PF_FIELDS(PF_ALWAYS(branch, commit));
};
struct Warned {
  static constexpr EventTag kTag{"PROTOCOL_WARNING"};
  int run = 0;
  std::string verb, reason, what, why;
  PF_FIELDS(PF_ALWAYS(run, verb, reason, what), PF_IF_SET(why));
};

struct Body
    : std::variant<Opened, RegisterEdited, RegisterWritten, Validated, ReviewRequested,
                   ChangesRequested, Approved, UserAsked, UserReplied, Parked, SentBack, GuardReset,
                   Forced, Paused, Resumed, ResetDone, NoteRemoved, Released, ErrorRaised,
                   RunStarted, RunParked, RunEnded, ToolNoted, Explained, Finished, LandingPrepared,
                   LandingAbandoned, Landed, MergePrepared, MergeAbandoned, Merged, Warned> {
  using variant::variant;
  PF_COMPILED_ONCE(Body);
};

struct Event {
  std::string sender, recipient;
  int round = 0;  // the run that had the turn
  Body body;
  std::vector<StepState> steps = {};  // those that stand otherwise afterwards
  std::optional<RegisterWrite> write = {};
  std::optional<RunWanted> start = {};
  std::optional<Standing> then = {};

  // Of a journalled event.
  Seq seq = Seq::none;
  MessageId id = {};
  std::string ts = {};
  Moment moment = {};

  // The part of the payload that every event may carry.
  PF_FIELDS(v("marks", self.steps), PF_IF_SET(write, start, then));
};

Draft encode(const Event& event);
Result<Event> decode(const Line& line);

}  // namespace pf::plan
