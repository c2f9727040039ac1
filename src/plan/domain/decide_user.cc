#include "plan/domain/deciders.h"
#include "plan/domain/user_notes.h"

namespace pf::plan {
namespace {

Outcome refuse_now(const State& state, std::string what) {
  return refuse(std::move(what), fmt::format("the plan is {}", state.phase),
                fmt::format("see: pairflow plan status {}", state.feature));
}

Outcome finished(const State& state) {
  return refuse("the plan is finished", "",
                fmt::format("add a step to plan.md, then: pairflow plan resume {}", state.feature));
}

// Back to the agent that was at work, in its conversation.
void go_on(const State& state, Event& event, Role role, Why why) {
  hand_to(event, new_run(state, role, state.step, why, conversation_of(state, role, state.step)));
  event.then->new_budget = state.halt && state.halt->kind == HaltKind::budget;
}

// The run that asked is still there and hears the answer itself.
bool is_listening(const State& state) {
  const Run* run = state.current();
  return state.halt && state.halt->kind == HaltKind::asked && run != nullptr && run->is_live() &&
         !run->parked;
}

// A step that was added meanwhile is next; without one the plan is over.
Outcome reply_at_the_end(const Asking& asking, UserReplied replied) {
  const State& state = asking.state;
  if (!asking.reading->sound())
    return refuse("plan.md is not sound",
                  join(in_words(kPlanFile, asking.reading->problems), "\n    "),
                  "mend it, then reply again");
  if (const StepState* next = pending_step(state)) {
    replied.to = Role::coder;
    Event event = make_event(asking, state.policy.coder, std::move(replied));
    begin_step(state, event, next->id, Why::step);
    write_down(asking, event, true);
    return std::vector{std::move(event)};
  }
  Event reply = make_event(asking, "orchestrator", std::move(replied));
  Event end = own_event(asking, "both", Finished{});
  end.then = Standing{Phase::done, state.step, state.run};  // an explainer may go on
  return std::vector{std::move(reply), std::move(end)};
}

}  // namespace

Outcome handle(const Asking& asking, const Reply& reply) {
  const State& state = asking.state;
  if (state.phase == Phase::done) return finished(state);
  if (state.phase != Phase::awaiting_user_input || !state.halt)
    return refuse_now(state, "nothing waits for a reply");
  if (!reply.question.empty() && reply.question != state.halt->id)
    return refuse_now(state,
                      fmt::format("{} is not what is asked now", printable(reply.question.str())));
  if (reply.message.size() > kMaxText)
    return usage(fmt::format("the reply is longer than {} KiB", kMaxText / 1024), "shorten it");
  const HaltKind kind = state.halt->kind;
  if (trim(reply.message).empty() && (kind == HaltKind::asked || kind == HaltKind::guard))
    return usage("the reply is empty", "say something to the agent that waits");
  UserReplied replied{state.halt->id, reply.message, {}};
  if (kind == HaltKind::no_pending_steps) return reply_at_the_end(asking, std::move(replied));
  const Role role = state.halt->role;
  replied.to = role;
  Event event = make_event(asking, state.policy.agent_of(role), std::move(replied));
  if (is_listening(state))
    event.then = Standing{phase_of(role), state.step, state.run};
  else
    go_on(state, event, role, Why::answer);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Force& force) {
  const State& state = asking.state;
  if (state.phase == Phase::done) return finished(state);
  if (force.role == Role::explainer)
    return usage("only the coder or the reviewer can be forced", "force coder, or reviewer");
  if (force.message.size() > kMaxText)
    return usage(fmt::format("the message is longer than {} KiB", kMaxText / 1024), "shorten it");
  if (state.phase == phase_of(force.role))
    return refuse_now(state, fmt::format("it is the {}'s turn already", force.role));
  Event event =
      make_event(asking, state.policy.agent_of(force.role), Forced{force.role, force.message});
  const StepState* step = state.find(state.step);
  if (step != nullptr && step->status == StepStatus::done)
    event.steps = {changed(state, state.step, StepStatus::pending, step->change_requests)};
  hand_to(event, new_run(state, force.role, state.step, Why::forced));
  write_down(asking, event, false);
  return std::vector{std::move(event)};
}

// Parked by the guard, the coder goes on with what was requested last.
Outcome handle(const Asking& asking, const ResetGuard&) {
  const State& state = asking.state;
  if (state.phase == Phase::done) return finished(state);
  const StepState* step = state.find(state.step);
  const int count = step == nullptr ? 0 : step->change_requests;
  const bool parked = state.halt && state.halt->kind == HaltKind::guard;
  if (count == 0 && !parked) return nothing();
  Event event = make_event(asking, "both", GuardReset{state.step, count});
  event.steps = {
      changed(state, state.step, step == nullptr ? StepStatus::pending : step->status, 0)};
  if (parked) go_on(state, event, Role::coder, Why::changes);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Pause&) {
  const State& state = asking.state;
  if (!is_active(state.phase)) return refuse_now(state, "no agent is at work");
  Event event = make_event(asking, "both", Paused{});
  event.then = halted(state, HaltKind::paused, state.active_role(),
                      "Paused. Resume, or reply to the agent that was at work.");
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Resume&) {
  const State& state = asking.state;
  if (is_active(state.phase)) return nothing();  // what a crash left undone is done anyway
  const HaltKind kind = state.halt ? state.halt->kind : HaltKind::no_pending_steps;
  if (kind == HaltKind::asked || kind == HaltKind::guard)
    return refuse("an answer is waited for", clip(printable(state.halt->text), 200),
                  fmt::format("pairflow plan reply {} --message \"…\"", state.feature));
  if (kind != HaltKind::no_pending_steps) {
    const Role role = state.halt->role;
    Event event = make_event(asking, state.policy.agent_of(role), Resumed{role});
    go_on(state, event, role, Why::resumed);
    return std::vector{std::move(event)};
  }
  const StepState* next = pending_step(state);
  if (next == nullptr)
    return refuse("no step is pending", "every step is approved",
                  state.phase == Phase::done
                      ? "add a step to plan.md first"
                      : fmt::format("add a step to plan.md first, or end the plan: pairflow plan "
                                    "reply {}",
                                    state.feature));
  Event event = make_event(asking, state.policy.coder, Resumed{Role::coder});
  begin_step(state, event, next->id, Why::step);
  write_down(asking, event, true);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const RemoveNote& c) {
  const State& state = asking.state;
  if (find_in(state.user_notes, c.number, &UserNote::number) == nullptr)
    return refuse(fmt::format("there is no note {}", c.number),
                  state.user_notes.empty() ? "the plan has none"
                                           : fmt::format("there are {}", note_numbers(state)),
                  fmt::format("see: pairflow plan notes {}", state.feature));
  return std::vector{make_event(asking, "both", NoteRemoved{c.number})};
}

// A run that waits for an answer ends; the answer goes to its conversation.
Outcome handle(const Asking& asking, const Release&) {
  const State& state = asking.state;
  if (is_active(state.phase))
    return refuse(
        "an agent is at work in the checkout", fmt::format("the plan is {}", state.phase),
        fmt::format("pairflow plan pause {0}, then: pairflow plan release {0}", state.feature));
  if (state.released || !holds_checkout(state)) return nothing();
  Event event = make_event(asking, "both", Released{});
  if (state.live() == nullptr) return std::vector{std::move(event)};
  if (!state.halt || state.halt->kind != HaltKind::asked)
    return refuse("a run of the plan is about to end", "", "run this again when it has ended");
  event.then = standing(state);
  event.then->run = 0;
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Reset&) {
  const State& state = asking.state;
  if (state.phase == Phase::done) return finished(state);
  Event event = make_event(asking, "both", ResetDone{state.step});
  begin_step(state, event, state.step, Why::reset);
  event.then->new_budget = true;
  write_down(asking, event, false);
  return std::vector{std::move(event)};
}

}  // namespace pf::plan
