#include "role_deed.h"

#include <fmt/format.h>

#include <array>

namespace pf::sim {
namespace {

using namespace role;

const std::array kAgents = {AgentName("claude"), AgentName("codex"), AgentName("gemini")};
const Principal kHuman{PrincipalKind::human};

RoleDeed deed(int number, Principal who, Seq turn, role::Command command) {
  std::string what = fmt::format("{} by {}", verb_of(command), who.party());
  return {RoleDeed::Kind::execute,
          {RequestId(fmt::format("r{}", number)), std::move(who), turn},
          std::move(command),
          std::move(what)};
}
RoleDeed by_human(int number, role::Command command) {
  return deed(number, kHuman, Seq::none, std::move(command));
}

Handoff planned(Dice& dice, const State& state) {
  Handoff handoff{Role::coder, "see docs/a.md"};
  if (!state.work || dice.one_in(10)) handoff.feature = fmt::format("F00{}", 1 + dice.below(3));
  if (dice.one_in(3)) handoff.risk = "risky";
  return handoff;
}

role::Command turn_command(Dice& dice, const State& state) {
  const Role role = state.reg.current_role;
  if (dice.one_in(5)) return Start{};
  if (dice.one_in(12)) return Block{static_cast<Role>(dice.below(3)), "why?", {}, dice.one_in(3)};
  if (role == Role::planner) return planned(dice, state);
  if (role == Role::coder) return Handoff{dice.one_in(8) ? Role::planner : Role::reviewer, "done"};
  if (dice.one_in(5)) return Handoff{Role::coder, "not yet"};
  if (state.work && state.work->task.empty()) return ApproveFeature{"good"};
  return ApproveTask{"good"};
}

}  // namespace

RoleDeed to_perform() { return {RoleDeed::Kind::drive, {}, {}, "perform"}; }

RoleDeed to_init(Dice& dice, int number) {
  Policy policy;
  policy.planner = kAgents[0], policy.coder = kAgents[1], policy.reviewer = kAgents[2];
  policy.has_checks = !dice.one_in(6);
  policy.has_pr_command = !dice.one_in(3);
  return by_human(number, Init{policy});
}

RoleDeed turn_deed(Dice& dice, const State& state, int number) {
  const auto role = static_cast<std::size_t>(state.reg.current_role);
  const AgentName& agent = dice.one_in(15) ? dice.pick(kAgents) : kAgents[role];
  const Seq turn = dice.one_in(2) ? Seq::none : state.turn;
  return deed(number, {PrincipalKind::agent, agent}, turn, turn_command(dice, state));
}

RoleDeed human_deed(Dice& dice, const State& state, int number) {
  for (const Landing& landing : state.landings)
    if (!is_over(landing.stage) && dice.one_in(2)) {
      if (dice.one_in(4)) return rework_of(dice, landing.feature, number);
      return word_on(landing, !dice.one_in(4), number);
    }
  if (state.work && dice.one_in(10)) return rework_of(dice, state.work->feature, number);
  if (dice.one_in(2))
    return by_human(number, SetAutopilot{static_cast<Autopilot>(dice.below(3)),
                                         state.policy.has_checks ? "" : "a spike"});
  return by_human(number, turn_command(dice, state));
}

RoleDeed rework_of(Dice& dice, const std::string& feature, int number) {
  return by_human(number, Rework{feature, "mend it", dice.one_in(3) ? "T01" : ""});
}

RoleDeed word_on(const Landing& landing, bool approve, int number) {
  if (!approve) return by_human(number, Decline{landing.feature, "no"});
  if (landing.kind == LandingKind::task) return by_human(number, ApproveTask{});
  return by_human(number, ApproveFeature{"", landing.feature});
}

RoleDeed to_planner(int number) { return by_human(number, Handoff{Role::planner, "anew"}); }

RoleDeed way_on(const State& state, const std::string& feature, int number) {
  switch (state.reg.current_role) {
    case Role::planner: return by_human(number, Handoff{Role::coder, "next", {}, feature});
    case Role::coder: return by_human(number, Handoff{Role::reviewer, "done"});
    case Role::reviewer: break;
  }
  if (state.work && state.work->task.empty()) return by_human(number, ApproveFeature{"good"});
  return by_human(number, ApproveTask{"good"});
}

}  // namespace pf::sim
