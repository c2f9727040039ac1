#include "plan/domain/decide.h"

#include <algorithm>

#include "plan/domain/deciders.h"

namespace pf::plan {

PF_COMPILED_HERE(Command);

namespace {

Rejection wrong_principal(const Request& request, const CommandTag& command) {
  if (command.by == By::agent)
    return refuse("only an agent of the plan can do this", "PAIRFLOW_AGENT does not name one",
                  "this is called by the agents that `pairflow plan run` starts");
  return refuse("this decision is the user's",
                fmt::format("it was asked for by {}", request.who.party()),
                "ask for it with ask_user");
}

Rejection stale_turn(const State& state) {
  return refuse("the plan has moved on since you looked",
                fmt::format("it is {} on step {} now", state.phase, state.step),
                fmt::format("look again: pairflow plan status {}", state.feature));
}

Outcome handle_after_edit(const Asking& asking, const Command& command) {
  Event edit = edit_event(asking, verb_of(command));
  const auto& edited = std::get<RegisterEdited>(edit.body);
  const Run* run = asking.state.run_of(run_of(command));
  if (run != nullptr && edited.moved())
    return warning("step_moved",
                   fmt::format("plan.md names step {} as the active one", edited.active),
                   fmt::format("your run was about step {}", run->step),
                   "end your run here; a new one begins on that step");
  return handle_after(asking, std::move(edit), command);
}

// An agent that goes on after a release needs the checkout back.
Outcome claimed_again(const Asking& asking, Outcome outcome) {
  const auto* events = std::get_if<std::vector<Event>>(&outcome);
  const bool starts = events != nullptr && std::ranges::any_of(*events, [](const Event& event) {
                        return event.start.has_value();
                      });
  if (!asking.state.released || !starts) return outcome;
  if (!asking.facts.claim) return need(Need::claim);
  if (!asking.facts.claim->holder.empty()) return checkout_taken(*asking.facts.claim);
  return outcome;
}

}  // namespace

int run_of(const Command& command) {
  return std::visit(
      []<class C>(const C& c) {
        if constexpr (C::kTag.by == By::agent)
          return c.run;
        else
          return 0;
      },
      command);
}

std::optional<Event> warning_event(const State& state, const Request& request,
                                   const Command& command, const Rejection& rejection) {
  const int run = run_of(command);
  const LastWarning now{run, std::string(verb_of(command)), rejection.reason};
  if (contains(state.warnings, now)) return std::nullopt;
  return Event{request.who.party(), request.who.party(), state.run,
               Warned{run, now.verb, now.reason, rejection.error.what, rejection.error.why}};
}

Decision<Event> decide(const State& state, const Request& request, const Command& command,
                       const Facts& facts) {
  const CommandTag& tag = tag_of(command);
  if (!may_ask(request, tag)) return wrong_principal(request, tag);
  const auto* open = std::get_if<Open>(&command);
  if (state.phase == Phase::none && open == nullptr)
    return refuse("there is no such plan", "", "begin it: pairflow plan run <feature>");
  Asking asking{state, request, facts};
  if (asking.is_human() && asking.is_stale()) return stale_turn(state);
  if (tag.reads == Reads::nothing) return handle_any(asking, command);
  if (!facts.documents) return need(Need::documents);
  Reading reading = open != nullptr ? read_at_first(*facts.documents, open->steps)
                                    : read_documents(*facts.documents, form_of(state));
  const auto* resume = std::get_if<Resume>(&command);
  const bool takes_edit = resume != nullptr && resume->takes_edit && writer_at_work(state) == 0;
  if (open == nullptr && !takes_edit) distrust(state, reading);
  asking.reading = &reading;
  if (open == nullptr && reading.sound() && is_edited(state, reading))
    return claimed_again(asking, handle_after_edit(asking, command));
  return claimed_again(asking, handle_any(asking, command));
}

}  // namespace pf::plan
