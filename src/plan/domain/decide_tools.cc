#include "plan/domain/deciders.h"

namespace pf::plan {
namespace {

constexpr std::string_view kEndHere =
    "end your run here; you are started again when it is your turn";

// Whether a tool call of this run counts now, and if not why.
std::optional<Rejection> tool_refused(const Asking& asking, std::string_view verb, int number,
                                      std::optional<Role> role) {
  const State& state = asking.state;
  const Run* run = state.run_of(number);
  if (run == nullptr || run->agent != asking.request.who.name)
    return refuse(fmt::format("{} has no run {} of plan {}",
                              printable(asking.request.who.name.str()), number, state.feature),
                  "", "check PAIRFLOW_AGENT and PAIRFLOW_RUN");
  if (state.phase == Phase::done)
    return refuse("the plan is finished", "", "there is nothing left to do");
  if (run->role == Role::explainer || (role && run->role != *role))
    return warning("wrong_role",
                   fmt::format("{} is the {}'s", verb, role ? name_of(*role) : "agents"),
                   fmt::format("you are the {}", run->role),
                   run->role == Role::coder      ? "call request_review or ask_user"
                   : run->role == Role::reviewer ? "call request_changes, approve or ask_user"
                                                 : "write your file and end");
  const Run* live = state.live();
  if (number != state.run || run->ending || (live != nullptr && live->number != number))
    return warning("not_current", fmt::format("run {} is over", number),
                   state.run == number ? "" : "another one has the turn", std::string(kEndHere));
  if (state.phase == Phase::error)
    return warning("in_error", "the plan is in error", clip(printable(state.trouble), 200),
                   std::string(kEndHere));
  if (!is_active(state.phase))
    return warning("waiting_user", "the plan waits for the user", "", std::string(kEndHere));
  if (asking.is_stale())
    return warning("stale_turn", "the turn this belongs to is over", "", std::string(kEndHere));
  return std::nullopt;
}

std::optional<Rejection> bad_text(std::string_view text, std::string_view what) {
  if (trim(text).empty())
    return usage(fmt::format("{} is empty", what), fmt::format("give the {}", what));
  if (text.size() > kMaxText)
    return usage(fmt::format("{} is longer than {} KiB", what, kMaxText / 1024), "shorten it");
  return std::nullopt;
}

Rejection unsound(std::string_view file, const std::vector<Problem>& problems, std::string fix) {
  return because_of(
      in_words(file, problems),
      warning("invalid_document", fmt::format("{} is not sound", file), "", std::move(fix)));
}

Rejection unsound_spec(const Reading& reading) {
  Rejection rejection =
      unsound(kSpecFile, reading.spec_problems,
              "mend it, then call request_review again; or call it again as it is");
  rejection.reason += fmt::format(" {}", reading.spec.str().substr(0, 12));
  return rejection;
}

// A specification that was so from the beginning is the user's; one that was written since is told
// once in a turn for each text of it: a try to mend it that fails is told, too.
bool is_told(const State& state, int run, const Reading& reading, const Rejection& rejection) {
  if (reading.spec == state.first_spec) return true;
  const LastWarning told{run, std::string(RequestReview::kTag.verb), rejection.reason};
  return contains(state.warnings, told);
}

std::string guard_text(const State& state, int count) {
  return fmt::format(
      "The reviewer has requested changes {} times on step {} ({} are allowed). Reply to the "
      "coder, "
      "reset the guard, or force one of them.",
      count, state.step, state.policy.max_change_requests);
}

}  // namespace

Outcome handle(const Asking& asking, const RequestReview& tool) {
  const State& state = asking.state;
  if (auto rejection = tool_refused(asking, RequestReview::kTag.verb, tool.run, Role::coder))
    return *rejection;
  if (tool.note.size() > kMaxText) return *bad_text(tool.note, "note");
  const Reading& reading = *asking.reading;
  if (!reading.sound())
    return unsound(kPlanFile, reading.problems, "mend it, then call request_review again");
  if (!reading.spec_problems.empty())
    if (Rejection told = unsound_spec(reading); !is_told(state, tool.run, reading, told))
      return told;
  Event event =
      make_event(asking, state.policy.reviewer, ReviewRequested{tool.run, state.step, tool.note});
  hand_to(event, new_run(state, Role::reviewer, state.step, Why::review));
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const RequestChanges& tool) {
  const State& state = asking.state;
  if (auto rejection = tool_refused(asking, RequestChanges::kTag.verb, tool.run, Role::reviewer))
    return *rejection;
  if (auto rejection = bad_text(tool.text, "text")) return *rejection;
  const StepState* step = state.find(state.step);
  const int count = (step == nullptr ? 0 : step->change_requests) + 1;
  Event event = make_event(asking, state.policy.coder,
                           ChangesRequested{tool.run, state.step, tool.text, count});
  event.steps = {changed(state, state.step, StepStatus::needs_changes, count)};
  if (count <= state.policy.max_change_requests) {
    hand_to(event, new_run(state, Role::coder, state.step, Why::changes,
                           conversation_of(state, Role::coder, state.step)));
    write_down(asking, event, false);
    return std::vector{std::move(event)};
  }
  write_down(asking, event, false);
  return std::vector{std::move(event),
                     parked_event(asking, HaltKind::guard, Role::coder, guard_text(state, count))};
}

Outcome handle(const Asking& asking, const Approve& tool) {
  const State& state = asking.state;
  if (auto rejection = tool_refused(asking, Approve::kTag.verb, tool.run, Role::reviewer))
    return *rejection;
  if (tool.note.size() > kMaxText) return *bad_text(tool.note, "note");
  if (!asking.reading->sound())
    return unsound(kPlanFile, asking.reading->problems,
                   "request_changes: the coder has to mend it before the next step");
  if (!asking.facts.tree) return need(Need::tree);
  const StepState* step = state.find(state.step);
  Approved approved{
      tool.run, state.step, tool.note, {}, asking.facts.tree->tree, asking.facts.untaken};
  Event event = make_event(asking, "both", Approved{});
  event.steps = {
      changed(state, state.step, StepStatus::done, step == nullptr ? 0 : step->change_requests)};
  const auto steps = steps_after(state, event);
  if (const StepState* next = advance_to_next(steps, state.step)) {
    approved.next = next->id;
    begin_step(state, event, next->id, Why::step);
  } else {
    event.then = halted(state, HaltKind::no_pending_steps, Role::coder,
                        "Every step is approved. Reply to end the plan, or add a step to plan.md "
                        "and reply to go on with it.");
    if (!state.policy.explain.empty()) {
      event.start = new_run(state, Role::explainer, state.step, Why::explain);
      event.then->run = event.start->run;
    }
  }
  const bool names = approved.next.has_value();
  event.body = std::move(approved);
  write_down(asking, event, names);
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const AskUser& tool) {
  const State& state = asking.state;
  if (auto rejection = tool_refused(asking, AskUser::kTag.verb, tool.run, std::nullopt))
    return *rejection;
  if (auto rejection = bad_text(tool.message, "message")) return *rejection;
  const Role role = state.run_of(tool.run)->role;
  Event event = make_event(asking, "human", UserAsked{tool.run, role, tool.message});
  event.then = halted(state, HaltKind::asked, role, tool.message);
  event.then->run = tool.run;  // it may wait for the answer
  return std::vector{std::move(event)};
}

}  // namespace pf::plan
