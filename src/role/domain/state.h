#pragma once
#include "base/request.h"
#include "role/domain/event.h"

namespace pf::role {

// One run of an agent that was launched for its role.
struct Run {
  int number = 0;
  Role role = Role::planner;
  AgentName agent = {};
  std::string transcript = {}, started_at = {};
  bool switched = false;  // the role was handed on since
  PF_FIELDS(PF_ALWAYS(number, role, agent), PF_IF_SET(transcript, started_at, switched));
};

// A plan or a bubble that does the coder's part.
struct Child {
  CoderBy by = CoderBy::plan;
  std::string id;
  PF_FIELDS(PF_ALWAYS(by, id));
};

struct LastWarning {
  std::string by, verb, reason;
  friend bool operator==(const LastWarning&, const LastWarning&) = default;
  PF_FIELDS(PF_ALWAYS(by, verb, reason));
};

// Everything folded from the journal.
struct StateFields {
  bool begun = false;
  Policy policy;
  Autopilot ordered = Autopilot::off;  // by the human's recorded word
  std::string unchecked;               // why it holds without checks, by the same word
  RoleRegister reg;                    // what the register says, or will
  Hash disk;                           // of state.json as last taken in or written
  std::optional<RegisterWrite> write;
  std::vector<TaskWrite> task_writes;
  std::optional<BranchWanted> branch;
  std::optional<Work> work;
  bool clean = false;  // without work: what is not committed by now is for the next feature
  std::optional<Taken> taken;
  std::optional<Role> asked_by;  // while blocked: whose questions wait
  bool for_human = false;        // and no role can answer them
  std::string since;             // wall time the turn was opened
  Seq turn = Seq::none;
  Seq last_seq = Seq::none;
  std::string last_command_at;

  std::vector<Landing> landings;  // those that are not over, and the last few that are
  int last_landing = 0;

  std::string automation;  // the run_id of the automation that goes on; "" for none
  std::string halted;      // why the last one ended
  std::optional<Run> run;  // whose process is there
  int last_run = 0;
  bool sent_back = false;  // the run before ended without a switch
  std::optional<Child> child;
  bool released = false;  // others may work in the checkout
  Effort effort;
  Moment working_since;  // while a run is at work; never set otherwise
  Moment last_moment;    // of the last event
  std::string red_log;   // the end of the log of the last checks, when they were red

  std::vector<FileProblems> problems;
  std::vector<LastWarning> warnings;  // of this turn
  std::vector<Action> actions;        // the last few
  RecentRequests requests;
  Mark mark;

  PF_FIELDS(PF_ALWAYS(begun, policy, ordered, unchecked), v.always("register", self.reg),
            PF_ALWAYS(disk, write, task_writes, branch, work, clean, taken, asked_by, for_human,
                      since, turn, last_seq, last_command_at, landings, last_landing, automation,
                      halted, run, last_run, sent_back, child, effort),
            v.always("boot", self.working_since.boot),
            v.always("mono_ms", self.working_since.mono_ms),
            v.always("last_boot", self.last_moment.boot),
            v.always("last_mono_ms", self.last_moment.mono_ms),
            PF_ALWAYS(red_log, problems, warnings, actions, requests), PF_IF_SET(released),
            v.always("last_mark", self.mark));
};
struct State : StateFields {
  PF_COMPILED_ONCE(State);

  // Rises when an old snapshot would be folded differently.
  static constexpr int kFold = 3;

  const Landing* landing(int number) const { return find_in(landings, number, &Landing::number); }
  // The one that the loop waits for; the others were put aside.
  const Landing* at_hand() const {
    return find_where(landings, [](const Landing& l) { return !is_over(l.stage) && !l.aside; });
  }
  // One that waits for the human.
  const Landing* waiting() const { return find_in(landings, Stage::approval, &Landing::stage); }
  const FileProblems* problems_of(std::string_view file) const {
    return find_in(problems, file, &FileProblems::file);
  }
  // What is allowed without asking: what the register says, if the human ordered as much.
  Autopilot autopilot() const { return std::min(ordered, reg.autopilot.value_or(Autopilot::off)); }
};

// An agent or a person works for the roles in the checkout, or their work is parked there: no other
// loop may begin in it.
inline bool holds_checkout(const State& state) {
  return !state.automation.empty() || state.run || ((state.work || state.taken) && !state.released);
}
// What may be done without asking: without checks nothing passes, unless the human said so.
Autopilot level_of(const State& state);

// Of state.json, see DueWrite.
inline Hash known_of(const State& state) { return pf::known_of(state.disk, state.write); }
// As the envelope has it: how many landings there were.
inline int round_of(const State& state) { return state.last_landing; }

// Pure, total, free of policy: copies the event's outcome into the state.
State apply(State state, const Event& event);
// The same for a journal's line; also keeps the marks that recognise a retried request.
Result<State> fold(State state, const Line& line);

}  // namespace pf::role
