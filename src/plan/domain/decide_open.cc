#include "plan/domain/deciders.h"

namespace pf::plan {
namespace {

// What is to be said about a file, when it is not what was said last.
void file_problems(const Asking& asking, std::string_view file, const Hash& hash,
                   const std::vector<Problem>& problems, std::vector<Event>& events) {
  const FileProblems* before = asking.state.problems_of(file);
  const bool same =
      before == nullptr ? problems.empty() : before->problems == problems && before->hash == hash;
  if (!same)
    events.push_back(own_event(asking, "both", Validated{{std::string(file), hash, problems}}));
}

}  // namespace

Outcome handle(const Asking& asking, const Open& open) {
  if (asking.state.phase != Phase::none)
    return refuse("this plan is open already", fmt::format("it is {}", asking.state.phase),
                  fmt::format("pairflow plan resume {}", asking.state.feature));
  if (open.policy.coder.empty() || open.policy.reviewer.empty())
    return usage("a plan needs a coder and a reviewer", "set [plan] coder and reviewer");
  if (open.policy.max_change_requests < 0 || open.policy.step_time_budget_minutes < 0)
    return usage("max_change_requests and step_time_budget_minutes are not negative",
                 "set them to 0 or more");
  const Reading& reading = *asking.reading;
  if (!reading.sound())
    return because_of(in_words(kPlanFile, reading.problems),
                      refuse("plan.md is not sound", "", "mend it, then run this again"));
  if (open.policy.workspace == Workspace::repo) {
    if (!asking.facts.claim) return need(Need::claim);
    if (!asking.facts.claim->holder.empty())
      return checkout_taken(*asking.facts.claim,
                            "give this plan files of its own: pairflow plan run --worktree");
  }
  if (!asking.facts.repository || !asking.facts.tree)
    return std::vector<Need>{Need::repository, Need::tree};
  Opened opened{open.policy,
                reading.hash,
                reading.spec,
                steps_at_first(reading.plan),
                open.restored,
                reading.plan.form,
                !open.steps.empty(),
                open.delegated,
                asking.facts.repository->branch,
                asking.facts.repository->at,
                asking.facts.tree->tree};
  State first = asking.state;
  first.policy = open.policy;
  first.steps = opened.steps;
  first.step = reading.plan.active;
  Event event = make_event(asking, "both", std::move(opened));
  if (const StepState* next = pending_step(first))
    hand_to(event, new_run(first, Role::coder, next->id, Why::step));
  else
    event.then =
        halted(first, HaltKind::no_pending_steps, Role::coder,
               "No step is pending. Reply to end the plan, or add a step to plan.md first.");
  std::vector<Event> events{std::move(event)};
  file_problems(asking, kSpecFile, reading.spec, reading.spec_problems, events);
  return events;
}

// The step that a hand edit moved to begins anew; the agent that was at work, or would have gone
// on, has lost his subject.
Event edit_event(const Asking& asking, std::string_view verb) {
  const State& state = asking.state;
  const Reading& reading = *asking.reading;
  RegisterEdited edited{std::string(verb),    state.plan,
                        reading.hash,         steps_now(state, reading.plan),
                        state.step,           active_now(state, reading.plan),
                        writer_at_work(state)};
  State now = state;
  now.step = edited.active;
  StepState* active = find_in(edited.steps, edited.active, &StepState::id);
  if (edited.moved()) active->change_requests = 0;
  // Only an approval makes the active step done: what names it active wins over a map that says so.
  const StepState* before = state.find(edited.active);
  const bool was_done = before != nullptr && before->status == StepStatus::done;
  if (active->status == StepStatus::done && (edited.moved() || !was_done))
    active->status = StepStatus::pending;
  now.steps = edited.steps;
  const bool moved = edited.moved();
  Event event = own_event(asking, "both", std::move(edited));
  if (moved && is_active(state.phase)) {
    hand_to(event, new_run(now, Role::coder, now.step, Why::moved));
  } else if (moved && state.halt) {
    event.then = halted(now, state.halt->kind, Role::coder, state.halt->text);
  } else if (moved) {
    event.then = standing(now);
  }
  event.write = write_for(state, &reading, now.steps, now.step, false);
  return event;
}

Outcome handle(const Asking& asking, const CheckDocuments&) {
  const Reading& reading = *asking.reading;
  std::vector<Event> events;
  if (asking.state.write && asking.state.write->is_late(reading.hash)) {
    Event event = own_event(asking, "orchestrator", RegisterWritten{reading.hash});
    write_down(asking, event, false);
    events.push_back(std::move(event));
  }
  file_problems(asking, kPlanFile, reading.hash, reading.problems, events);
  file_problems(asking, kSpecFile, reading.spec, reading.spec_problems, events);
  return events;
}

Outcome handle(const Asking& asking, const ReportWritten& e) {
  if (!asking.state.write || asking.state.write->after != e.hash) return nothing();
  return std::vector{own_event(asking, "orchestrator", RegisterWritten{e.hash})};
}

}  // namespace pf::plan
