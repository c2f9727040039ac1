#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/domain/budget.h"
#include "plan/domain/reading.h"
#include "plan/domain/state.h"
#include "plan/domain/user_notes.h"
#include "plan/domain/views.h"

namespace pf::plan {

PF_COMPILED_HERE(State);

namespace {

constexpr std::size_t kActionsKept = 12;
constexpr std::size_t kRunsKept = 100;
constexpr std::size_t kNotesKept = 60;
constexpr std::size_t kNoteLength = 1000;
constexpr std::size_t kUserNotesKept = 100;
constexpr std::size_t kQuestionLength = 2000;

Run* find_run(State& state, int number) { return find_in(state.runs, number, &Run::number); }

void forget_problems(State& state, const std::string& file) {
  std::erase_if(state.problems, [&](const FileProblems& p) { return p.file == file; });
}

void stop_clock(State& state, const Moment& now) {
  state.spent_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(time_on_step(state, now)).count();
  state.working_since = {};
}

struct Fold {
  State& state;
  const Event& event;

  void note(Note::Kind kind, const std::string& step, const std::string& text) {
    keep_last(state.notes, kNotesKept, {event.seq, kind, step, clip(text, kNoteLength)});
  }
  void keep_word(const std::string& text) {
    if (trim(text).empty()) return;
    UserNote word{++state.last_user_note, event.seq, state.step};
    if (state.halt && state.halt->kind == HaltKind::asked) {
      word.asked_by = name_of(state.halt->role);
      word.question = clip(state.halt->text, kQuestionLength);
    }
    word.text = clip(text, kMaxUserNotes);
    keep_last(state.user_notes, kUserNotesKept, std::move(word));
  }
  void called(int number, std::string tool) {
    if (Run* run = find_run(state, number)) {
      run->spoke = true;
      run->tool = std::move(tool);
    }
  }

  void operator()(const Opened& e) {
    state.policy = e.policy;
    state.plan = e.plan;
    state.first_spec = e.spec;
    state.steps = e.steps;
    state.restored = e.restored;
    state.delegated = e.delegated;
    state.branch = e.branch;
    state.base = e.base;
    state.first_tree = e.tree;
    state.form = e.form;
  }
  void operator()(const RegisterEdited& e) {
    state.steps = e.steps;
    state.plan = e.after;
    state.write.reset();
    forget_problems(state, std::string(kPlanFile));
    const std::string when =
        e.during == 0 ? "by hand" : fmt::format("while run {} was at work", e.during);
    if (!e.moved() && e.during != 0) note(Note::Kind::edited, state.step, when);
    if (!e.moved()) return;
    note(Note::Kind::moved, e.active, when);
    state.changes.clear();
    state.answer.clear();
  }
  void operator()(const RegisterWritten& e) {
    state.plan = e.hash;
    state.write.reset();
  }
  void operator()(const Validated& e) {
    forget_problems(state, e.found.file);
    if (!e.found.problems.empty()) state.problems.push_back(e.found);
  }
  void operator()(const ReviewRequested& e) {
    called(e.run, "request_review");
    note(Note::Kind::review, e.step, e.note);
    state.answer.clear();
  }
  void operator()(const ChangesRequested& e) {
    called(e.run, "request_changes");
    note(Note::Kind::changes, e.step, e.text);
    state.changes = e.text;
    state.answer.clear();
  }
  void operator()(const Approved& e) {
    called(e.run, "approve");
    note(Note::Kind::approved, e.step, e.note);
    const StepState* step = state.find(e.step);
    std::erase_if(state.verdicts,
                  [&](const Verdict& v) { return v.step == e.step && v.seq > state.landed_to; });
    state.verdicts.push_back({e.step, step == nullptr ? "" : step->title, state.policy.reviewer,
                              clip(e.note, kNoteLength), e.tree, e.untaken,
                              step == nullptr ? 0 : step->change_requests, event.seq});
    state.changes.clear();
    state.answer.clear();
  }
  void operator()(const UserAsked& e) { called(e.run, "ask_user"); }
  void operator()(const UserReplied& e) {
    note(Note::Kind::user, state.step, e.message);
    if (e.to) keep_word(e.message);
    state.question = state.halt && state.halt->kind == HaltKind::asked ? state.halt->text : "";
    state.answer = e.message;
  }
  void operator()(const Parked&) {}
  void operator()(const SentBack&) {}
  void operator()(const GuardReset&) {}
  void operator()(const Forced& e) {
    if (!e.message.empty()) note(Note::Kind::user, state.step, e.message);
    keep_word(e.message);
    state.question = !e.message.empty() && state.halt && state.halt->kind == HaltKind::asked
                         ? state.halt->text
                         : "";
    state.answer = e.message;
    state.trouble.clear();
  }
  void operator()(const Paused&) {}
  void operator()(const Resumed&) { state.trouble.clear(); }
  void operator()(const ResetDone& e) {
    note(Note::Kind::reset, e.step, "");
    state.changes.clear();
    state.answer.clear();
    state.trouble.clear();
  }
  void operator()(const NoteRemoved& e) {
    std::erase_if(state.user_notes, [&](const UserNote& word) { return word.number == e.number; });
  }
  void operator()(const Released&) { state.released = true; }
  void operator()(const ErrorRaised& e) { state.trouble = e.what; }
  void operator()(const RunStarted& e) {
    Run* run = find_run(state, e.run);
    if (run == nullptr) return;
    run->recorded = true;
    run->conversation = e.conversation;
    run->transcript = e.transcript;
    run->program = e.program;
    run->enforcement = e.enforcement;
    run->started_at = event.ts;
    if (e.run == state.run && is_active(state.phase)) state.working_since = event.moment;
  }
  void operator()(const RunParked& e) {
    if (Run* run = find_run(state, e.run)) run->parked = true;
  }
  void operator()(const RunEnded& e) {
    Run* run = find_run(state, e.run);
    if (run == nullptr) return;
    // When one was lost is not known, but how far it had come.
    if (e.run == state.run)
      stop_clock(state, e.ending == Ending::lost ? state.last_moment : event.moment);
    run->ending = e.ending;
    run->exit = e.exit;
    if (!e.conversation.empty()) run->conversation = e.conversation;
    run->input_tokens = e.input_tokens;
    run->output_tokens = e.output_tokens;
    run->ended_at = event.ts;
  }
  void operator()(const ToolNoted&) {}
  void operator()(const Explained& e) { state.explained = e.file; }
  void operator()(const Finished&) { state.answer.clear(); }
  void operator()(const LandingPrepared& e) { state.landing = e; }
  void operator()(const LandingAbandoned&) { state.landing.reset(); }
  void operator()(const Landed& e) {
    if (state.landing) state.landed_to = state.landing->last;
    state.landing.reset();
    state.landed = e.commit;
    state.merged = {};
  }
  void operator()(const MergePrepared& e) { state.merge = e; }
  void operator()(const MergeAbandoned&) { state.merge.reset(); }
  void operator()(const Merged& e) {
    state.merge.reset();
    state.merged = e.commit;
  }
  void operator()(const Warned& e) { state.warnings.push_back({e.run, e.verb, e.reason}); }
};

void want(State& state, const RunWanted& wanted, Seq seq) {
  Run run{wanted.run,
          wanted.role,
          wanted.agent,
          wanted.step,
          wanted.why,
          wanted.conversation,
          !wanted.conversation.empty(),
          wanted.sent_back};
  run.wanted = seq;
  keep_last(state.runs, kRunsKept, std::move(run));
  state.last_run = wanted.run;
  state.released = false;
}

std::optional<Halt> halt_of(const State& state, const Event& event) {
  if (!event.then->halt) return std::nullopt;
  const Halting& halting = *event.then->halt;
  Halt halt{event.id, event.seq, halting.kind, halting.role, halting.text, event.ts};
  if (state.halt && state.halt->kind == halt.kind && state.halt->text == halt.text) {
    halt.id = state.halt->id;  // the same question still
    halt.seq = state.halt->seq;
    halt.ts = state.halt->ts;
  }
  return halt;
}

void stand(State& state, const Event& event) {
  const Standing& then = *event.then;
  stop_clock(state, event.moment);
  if (then.step != state.step || then.new_budget) state.spent_ms = 0;
  const Run* next = state.run_of(then.run);
  if (is_active(then.phase) && next != nullptr && next->is_live())
    state.working_since = event.moment;
  state.halt = halt_of(state, event);
  state.phase = then.phase;
  state.step = then.step;
  state.run = then.run;
  state.since = event.ts;
  state.turn = event.seq;
  state.warnings.clear();
  for (Run& run : state.runs)
    if (!run.started() && run.number != then.run) run.ending = Ending::dropped;
}

bool is_routine(const Event& event) {
  return std::holds_alternative<RegisterWritten>(event.body) ||
         std::holds_alternative<RunParked>(event.body);
}

}  // namespace

State apply(State state, const Event& event) {
  std::visit(Fold{state, event}, event.body);
  for (const StepState& step : event.steps)
    if (StepState* known = find_in(state.steps, step.id, &StepState::id)) *known = step;
  if (event.write) {
    state.plan = event.write->before;
    state.write = event.write;
    if (event.write->is_made()) state.write.reset();
  }
  if (event.start) want(state, *event.start, event.seq);
  if (event.then) stand(state, event);
  if (event.sender != kOrchestrator) state.last_command_at = event.ts;
  state.last_seq = event.seq;
  state.last_moment = event.moment;
  if (auto text = describe(event); !text.empty() && !is_routine(event))
    keep_last(state.actions, kActionsKept, {event.seq, event.ts, std::move(text)});
  return state;
}

// A run that was released still has to come to its end.
bool holds_checkout(const State& state) {
  if (state.phase == Phase::none || state.policy.workspace != Workspace::repo) return false;
  return state.live() != nullptr || (state.phase != Phase::done && !state.released);
}

bool can_land(const State& state) {
  const bool over =
      state.phase == Phase::done || (state.halt && state.halt->kind == HaltKind::no_pending_steps);
  return over && !state.delegated && !state.verdicts.empty() &&
         (state.landing || state.merge || state.verdicts.back().seq > state.landed_to);
}

Result<State> fold(State state, const Line& line) {
  const Event event = TRY(decode(line));
  state.feature = FeatureId(line.loop_id);
  if (!std::holds_alternative<Warned>(event.body)) state.requests.note(line.request, state.mark);
  state = apply(std::move(state), event);
  state.mark = line.mark;
  return state;
}

}  // namespace pf::plan
