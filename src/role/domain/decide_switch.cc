#include "role/domain/deciders.h"

namespace pf::role {
namespace {

bool has_choice(const Handoff& c) {
  return !c.feature.empty() || !c.type.empty() || !c.branch.empty() || !c.task.empty() ||
         !c.risk.empty();
}

Recipient recipient_of(const State& state, Role role) {
  const AgentName& agent = state.policy.agent_of(role);
  return agent.empty() ? Recipient::in_role(name_of(role)) : agent;
}

// Who codes a task does not review it, where anyone may.
void note_coder(const Asking& asking, Event& event) {
  if (asking.is_human() || !asking.state.work) return;
  Work work = event.work.value_or(*asking.state.work);
  const std::string party = asking.request.who.party();
  if (!contains(work.coded_by, party)) work.coded_by.push_back(party);
  event.work = std::move(work);
}

// Runs, time and requests are those of one feature, and the human's word begins them anew.
void count_handoff(const Asking& asking, Event& event, const HandedOff& e) {
  const State& state = asking.state;
  if (asking.is_human()) count_anew(event);
  if (e.role == Role::reviewer && e.to == Role::coder && state.work) {
    request_changes(asking, event, *state.work, event.now->msg);
    if (asking.is_human()) count_anew(event);
  }
  if (e.role != Role::planner || !state.work || asking.is_human()) return;
  if (state.work->feature != e.feature) {
    count_anew(event);
  } else if (state.work->task != e.task) {
    event.effort = state.effort;
    event.effort->change_requests = 0;
  }
}

}  // namespace

Outcome handle(const Asking& asking, const Start& c) {
  const State& state = asking.state;
  const auto role = acting_role(asking, Verb::start, c.role);
  if (!role) return role.error();
  const std::string party = asking.request.who.party();
  const bool has_it = state.taken && state.taken->by == party;
  if (has_it && state.reg.state == Lifecycle::in_progress)
    return asking.is_human() || is_own_run(asking) ? nothing()
                                                   : Outcome(already_taken(asking, *role));
  if (state.reg.state == Lifecycle::init)
    if (auto rejection = unsound_roadmap(asking)) return *rejection;
  const bool begins = *role == Role::planner && !state.work && !state.clean;
  if (begins && !asking.facts.repository) return need(Need::repository);
  if (begins)
    if (auto rejection = foreign_changes_refused(asking)) return *rejection;
  Event event =
      make_event(asking, "both", Started{*role, state.taken && !has_it ? state.taken->by : ""});
  event.clean = begins;
  const bool first = state.reg.state == Lifecycle::init;
  switch_to(asking, event, *role, Lifecycle::in_progress,
            first ? std::string(document::kDefaultMsg) : state.reg.msg, name_of(*role));
  if (*role == Role::coder) note_coder(asking, event);
  event.then->taken = Taken{party, *role};
  event.then->asked_by = state.asked_by;
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Handoff& c) {
  const State& state = asking.state;
  const auto role = acting_role(asking, Verb::handoff, c.role);
  if (!role) return role.error();
  if (auto rejection = bad_note(c.msg, false)) return *rejection;
  if (c.to == *role)
    return usage(fmt::format("{} cannot hand over to itself", *role),
                 fmt::format("name another role: --to {}", usual_next(*role)));
  if (has_choice(c) && *role != Role::planner)
    return usage("feature, branch and task are the planner's to set", "leave these options out");
  Event event = make_event(asking, recipient_of(state, c.to), HandedOff{*role, c.to});
  RoleRegister reg = state.reg;
  if (*role == Role::planner) {
    if (!asking.facts.repository) return need(Need::repository);
    auto choice = choose(asking, c);
    if (!choice) return choice.error();
    const Work& work = choice->work;
    event.body = HandedOff{*role, c.to, work.feature, work.task, work.risk};
    reg.plan_slug = choice->slug;
    reg.branch = work.task_branch.empty() ? work.branch : work.task_branch;
    event.branch = choice->branch;
    event.work = work;
  } else if (!reg.branch && c.to != Role::planner) {
    return refuse("no feature is active", "plan_slug and branch are null",
                  "hand over to the planner: pairflow role handoff --to PLANNER --message <note>");
  }
  event.now = reg;
  switch_to(asking, event, c.to, Lifecycle::handoff, c.msg, name_of(*role));
  if (*role == Role::coder) note_coder(asking, event);
  count_handoff(asking, event, std::get<HandedOff>(event.body));
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Block& c) {
  const State& state = asking.state;
  const auto role = acting_role(asking, Verb::block, c.role);
  if (!role) return role.error();
  if (auto rejection = bad_note(c.msg, false)) return *rejection;
  // The human answers in another role's place.
  const Role by = !c.human ? c.by : *role == Role::planner ? Role::reviewer : Role::planner;
  if (by == *role)
    return usage(fmt::format("{} cannot unblock itself", *role),
                 fmt::format("name who can answer: --by {}, or --by HUMAN",
                             *role == Role::planner ? Role::coder : Role::planner));
  if (c.msg.find('?') == std::string::npos)
    return usage("the note asks no question",
                 "write precise questions, each with its question mark");
  Event event = make_event(asking, c.human ? Recipient("human") : recipient_of(state, by),
                           Blocked{*role, by, "", c.human});
  switch_to(asking, event, by, Lifecycle::blocked, c.msg, name_of(*role));
  event.then->asked_by = *role;
  event.then->for_human = c.human;
  return std::vector{std::move(event)};
}

}  // namespace pf::role
