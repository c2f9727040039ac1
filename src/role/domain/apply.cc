#include <algorithm>

#include "role/domain/effort.h"
#include "role/domain/state.h"
#include "role/domain/views.h"

namespace pf::role {

PF_COMPILED_HERE(State);

namespace {

constexpr std::size_t kActionsKept = 20;
constexpr std::size_t kOverKept = 10;  // landings that are over

void stop_clock(State& state, const Moment& now) {
  state.effort.spent_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(time_on_feature(state, now)).count();
  state.working_since = {};
}

// The time is counted on, unless all of it begins anew.
void put_effort(State& state, const Event& event) {
  const bool anew = event.effort->runs == 0;
  const std::int64_t spent = anew ? 0 : state.effort.spent_ms;
  state.effort = *event.effort;
  state.effort.spent_ms = spent;
  if (anew && state.run) state.working_since = event.moment;
}

struct Fold {
  State& state;
  const Event& event;

  void operator()(const Initialized& e) {
    state.begun = true;
    state.policy = e.policy;
  }
  void operator()(const Configured& e) { state.policy = e.policy; }
  void operator()(const AutopilotSet& e) {
    state.ordered = e.to;
    state.unchecked = e.without_checks;
  }
  void operator()(const RegisterEdited& e) {
    state.disk = e.after;
    state.write.reset();
    if (e.ordered) state.ordered = *e.ordered;
    std::erase_if(state.problems, [](const auto& p) { return p.file == kRegisterFile; });
  }
  void operator()(const FileWritten& e) {
    if (e.path == kRegisterFile) {
      state.disk = e.hash;
      state.write.reset();
    }
    std::erase_if(state.task_writes, [&](const TaskWrite& w) { return w.path == e.path; });
  }
  void operator()(const Validated& e) {
    std::erase_if(state.problems, [&](const FileProblems& p) { return p.file == e.found.file; });
    if (!e.found.problems.empty()) state.problems.push_back(e.found);
  }
  void operator()(const BranchReady& e) {
    if (!state.branch || state.branch->name != e.name) return;
    if (state.work && !state.branch->files.empty()) state.work->kept.clear();
    state.branch.reset();
  }
  void operator()(const ChecksFiled& e) {
    if (!event.landing || !event.landing->aside) state.red_log = e.passed ? "" : e.log_end;
  }
  void operator()(const Blocked&) {
    state.branch.reset();
    state.child.reset();
  }
  void operator()(const AutomationBegun& e) {
    state.automation = e.run_id;
    state.halted.clear();
    state.sent_back = false;
    state.released = false;
  }
  void operator()(const Started&) { state.released = false; }
  void operator()(const HandedOff&) { state.released = false; }
  void operator()(const Released&) { state.released = true; }
  void operator()(const AutomationEnded& e) {
    state.automation.clear();
    state.halted = e.why;
  }
  void operator()(const RunStarted& e) {
    state.run = Run{e.run, e.role, e.agent, e.transcript, event.ts};
    state.last_run = e.run;
    state.working_since = event.moment;
  }
  void operator()(const RunEnded& e) {
    if (state.run && state.taken && state.taken->by == state.run->agent.str()) state.taken.reset();
    stop_clock(state, e.ending == Ending::lost ? state.last_moment : event.moment);
    state.run.reset();
    if (e.ending == Ending::silent) state.sent_back = true;
    if (e.ending == Ending::switched) state.sent_back = false;
  }
  void operator()(const Delegated& e) { state.child = Child{e.by, e.child}; }
  void operator()(const ChildEnded&) { state.child.reset(); }
  void operator()(const Warned& e) { state.warnings.push_back({event.sender, e.verb, e.reason}); }
  template <class Other>
  void operator()(const Other&) {}
};

void put_landing(State& state, const Landing& landing) {
  if (Landing* known = find_in(state.landings, landing.number, &Landing::number))
    *known = landing;
  else
    state.landings.push_back(landing);
  state.last_landing = std::max(state.last_landing, landing.number);
  const auto over = [](const Landing& l) {
    return is_over(l.stage) && (!l.posts || l.posted || l.stage == Stage::dropped);
  };
  while (std::ranges::count_if(state.landings, over) > static_cast<long>(kOverKept))
    state.landings.erase(std::ranges::find_if(state.landings, over));
}

void stand(State& state, const Event& event) {
  const bool is_start = std::holds_alternative<Started>(event.body);
  state.taken = event.then->taken;
  if (state.taken) state.taken->at = event.ts;
  state.asked_by = event.then->asked_by;
  state.for_human = event.then->for_human;
  state.since = event.ts;
  state.turn = event.seq;
  state.warnings.clear();
  if (state.run && !is_start) state.run->switched = true;
}

}  // namespace

State apply(State state, const Event& event) {
  std::visit(Fold{state, event}, event.body);
  if (event.now) state.reg = *event.now;
  if (event.write) {
    state.disk = event.write->before;
    state.write = event.write;
    if (event.write->is_made()) state.write.reset();
  }
  if (event.task_write) {
    std::erase_if(state.task_writes,
                  [&](const TaskWrite& w) { return w.path == event.task_write->path; });
    state.task_writes.push_back(*event.task_write);
  }
  if (event.ends_work)
    state.work.reset(), state.task_writes.clear(), state.clean = false, state.red_log.clear();
  if (event.clean) state.clean = true;
  if (event.work) state.work = event.work;
  if (event.branch) state.branch = event.branch;
  if (event.landing) put_landing(state, *event.landing);
  if (event.then) stand(state, event);
  if (event.effort) put_effort(state, event);
  if (event.sender != kOrchestrator) state.last_command_at = event.ts;
  state.last_seq = event.seq;
  state.last_moment = event.moment;
  if (!std::holds_alternative<FileWritten>(event.body))
    keep_last(state.actions, kActionsKept, {event.seq, event.ts, describe(event)});
  return state;
}

Result<State> fold(State state, const Line& line) {
  const Event event = TRY(decode(line));
  if (!std::holds_alternative<Warned>(event.body)) state.requests.note(line.request, state.mark);
  state = apply(std::move(state), event);
  state.mark = line.mark;
  return state;
}

}  // namespace pf::role
