#pragma once
#include "base/request.h"
#include "plan/domain/event.h"

namespace pf::plan {

// One run of an agent, wanted or made.
struct Run {
  int number = 0;
  Role role = Role::coder;
  AgentName agent = {};
  std::string step = {};
  Why why = Why::step;
  std::string conversation = {};  // to continue, until it is known which one it is
  bool continues = false;         // it goes on in an older conversation
  bool sent_back = false;
  bool recorded = false;  // its start is in the log
  bool spoke = false;     // it called a tool of ours
  bool parked = false;    // it no longer waits for the user's answer
  std::optional<Ending> ending = {};
  int exit = 0;
  std::string tool = {};  // the last one of ours that it called
  std::string transcript = {}, program = {}, enforcement = {};
  std::string started_at = {}, ended_at = {};
  Seq wanted = Seq::none;  // the event that asked for it
  std::int64_t input_tokens = 0, output_tokens = 0;
  bool started() const { return recorded || spoke; }
  bool is_live() const { return started() && !ending; }
  PF_FIELDS(PF_ALWAYS(number, role, agent, step, why),
            PF_IF_SET(conversation, continues, sent_back, recorded, spoke, parked, ending, exit,
                      tool, transcript, program, enforcement, started_at, ended_at, wanted,
                      input_tokens, output_tokens));
};

// What the user is asked, or told, while no agent goes on.
struct Halt {
  MessageId id;
  Seq seq = Seq::none;
  HaltKind kind = HaltKind::asked;
  Role role = Role::coder;  // who goes on afterwards
  std::string text, ts;
  PF_FIELDS(PF_ALWAYS(id, seq, kind, role, text, ts));
};

// A word of the history that later runs are told.
struct Note {
  enum class Kind { approved, changes, review, user, moved, edited, reset };
  Seq seq = Seq::none;
  Kind kind = Kind::approved;
  std::string step, text;
  PF_FIELDS(PF_ALWAYS(seq, kind, step), PF_IF_SET(text));
};
PF_NAMES_AS(Note::Kind, (approved, "approved"), (changes, "changes requested"),
            (review, "review requested"), (user, "the user said"),
            (moved, "the active step was moved here"), (edited, "plan.md was edited"),
            (reset, "the user began it anew"));

// What the user said to an agent: told to all runs that follow, until it is removed.
struct UserNote {
  int number = 0;  // as people call it; never given twice
  Seq seq = Seq::none;
  std::string step;
  std::string asked_by = {}, question = {};  // that it answers; "" when nobody asked
  std::string text = {};
  PF_FIELDS(PF_ALWAYS(number, seq, step), PF_IF_SET(asked_by, question), PF_ALWAYS(text));
};

struct LastWarning {
  int run = 0;
  std::string verb, reason;
  friend bool operator==(const LastWarning&, const LastWarning&) = default;
  PF_FIELDS(PF_ALWAYS(run, verb, reason));
};

// Everything folded from the log.
struct StateFields {
  FeatureId feature;
  Phase phase = Phase::none;
  std::string step;  // the active one's id
  int run = 0;       // the run whose tool calls count
  int last_run = 0;  // the highest number given away
  std::optional<Halt> halt;
  std::string since;  // wall time the turn was opened
  Seq turn = Seq::none;
  Seq last_seq = Seq::none;
  std::string last_command_at;

  Policy policy;
  std::vector<StepState> steps;  // in document order
  Hash plan;                     // plan.md as last taken in
  Hash first_spec;               // spec.md when the log began
  std::optional<RegisterWrite> write;
  std::vector<FileProblems> problems;

  std::vector<Run> runs;             // the last hundred
  std::vector<Note> notes;           // the last sixty
  std::vector<UserNote> user_notes;  // the last hundred
  int last_user_note = 0;            // the highest number given away
  std::string changes;               // requested last on the active step
  std::string question;              // that the answer is about; "" when none was asked
  std::string answer;                // what the user said to the agent that goes on
  std::string trouble;               // the last system error
  std::string explained;             // the file that was written
  std::string restored;              // the damaged log this one takes the place of
  std::string form;                  // how the steps of plan.md are read
  bool delegated = false;            // by the roles
  bool released = false;             // others may work in the checkout

  // Where it began: see Opened.
  std::string branch;
  CommitId base;
  TreeId first_tree;
  std::vector<Verdict> verdicts;  // one for a step, the newest last
  std::optional<LandingPrepared> landing;
  std::optional<MergePrepared> merge;
  Seq landed_to = Seq::none;  // the verdict that landed last,
  CommitId landed;            // its commit,
  CommitId merged;            // and where the branch was when it had that

  std::int64_t spent_ms = 0;  // agents' time on the active step, up to working_since
  Moment working_since;       // while a run is at work; never set otherwise
  Moment last_moment;         // of the last event

  std::vector<LastWarning> warnings;  // of this turn
  std::vector<Action> actions;        // the last few
  RecentRequests requests;
  Mark mark;

  PF_FIELDS(PF_ALWAYS(feature), v.always("state", self.phase), v.always("active_step", self.step),
            PF_ALWAYS(run, last_run, halt, since, turn, last_seq, last_command_at, policy, steps,
                      plan, write, first_spec, problems, runs, notes, user_notes, last_user_note,
                      changes, question, answer, trouble, explained, restored, spent_ms),
            PF_IF_SET(form), v.always("boot", self.working_since.boot),
            v.always("mono_ms", self.working_since.mono_ms),
            v.always("last_boot", self.last_moment.boot),
            v.always("last_mono_ms", self.last_moment.mono_ms),
            PF_ALWAYS(warnings, actions, requests),
            PF_IF_SET(delegated, released, branch, base, first_tree, verdicts, landing, merge,
                      landed_to, landed, merged),
            v.always("last_mark", self.mark));
};
struct State : StateFields {
  PF_COMPILED_ONCE(State);

  // Rises when an old snapshot would be folded differently.
  static constexpr int kFold = 3;

  const StepState* find(const std::string& id) const { return find_in(steps, id, &StepState::id); }
  const Run* run_of(int number) const { return find_in(runs, number, &Run::number); }
  const Run* current() const { return run_of(run); }
  // The run whose process is there.
  const Run* live() const { return find_where(runs, &Run::is_live); }
  const FileProblems* problems_of(std::string_view file) const {
    return find_in(problems, file, &FileProblems::file);
  }
  // Of an active phase, else of the agent that goes on.
  Role active_role() const {
    if (halt) return halt->role;
    return phase == Phase::reviewer_active ? Role::reviewer : Role::coder;
  }
};

// The plan works in the user's own checkout or is parked in it: no other loop may begin there.
bool holds_checkout(const State& state);

// Every step is approved, and what was approved is not committed yet.
bool can_land(const State& state);

// How plan.md is read: for the life of a log as when it was opened.
inline std::string_view form_of(const State& state) {
  const bool is_old = state.phase != Phase::none && state.form.empty();
  return is_old ? document::kFirstForms : std::string_view(state.form);
}
// Of plan.md, see DueWrite.
inline Hash known_of(const State& state) { return pf::known_of(state.plan, state.write); }
// As the envelope has it: the run that has the turn.
inline int round_of(const State& state) { return state.run; }

// Pure, total, free of policy: copies the event's outcome into the state.
State apply(State state, const Event& event);
// The same for a log's line; also keeps the marks that recognise a retried request.
Result<State> fold(State state, const Line& line);

}  // namespace pf::plan
