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

}  // namespace

Outcome handle(const Asking& asking, const Start& c) {
  const State& state = asking.state;
  const auto role = acting_role(asking, Verb::start, c.role);
  if (!role) return role.error();
  const std::string party = asking.request.who.party();
  const bool has_it = state.taken && state.taken->by == party;
  if (has_it && state.reg.state == Lifecycle::in_progress)
    return asking.is_human() ? nothing() : Outcome(already_taken(asking, *role));
  if (state.reg.state == Lifecycle::init)
    if (auto rejection = unsound_roadmap(asking)) return *rejection;
  const bool begins = *role == Role::planner && !state.work && !state.clean;
  if (begins && !asking.facts.repository) return need(Need::repository);
  if (begins)
    if (auto rejection = foreign_changes_refused(asking)) return *rejection;
  Event event =
      make_event(asking, "both", Started{*role, state.taken && !has_it ? state.taken->by : ""});
  event.clean = begins;
  switch_to(asking, event, *role, Lifecycle::in_progress, state.reg.msg, name_of(*role));
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
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Block& c) {
  const State& state = asking.state;
  const auto role = acting_role(asking, Verb::block, c.role);
  if (!role) return role.error();
  if (auto rejection = bad_note(c.msg, false)) return *rejection;
  if (c.by == *role)
    return usage(fmt::format("{} cannot unblock itself", *role),
                 "name the role that can answer: --by PLANNER");
  if (c.msg.find('?') == std::string::npos)
    return usage("the note asks no question",
                 "write precise questions, each with its question mark");
  Event event = make_event(asking, recipient_of(state, c.by), Blocked{*role, c.by});
  switch_to(asking, event, c.by, Lifecycle::blocked, c.msg, name_of(*role));
  event.then->asked_by = *role;
  return std::vector{std::move(event)};
}

}  // namespace pf::role
