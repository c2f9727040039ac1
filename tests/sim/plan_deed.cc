#include "plan_deed.h"

#include <fmt/format.h>

#include <array>

namespace pf::sim {
namespace {

using namespace plan;

const AgentName kCoder("claude");
const AgentName kReviewer("codex");
const Principal kUser{PrincipalKind::human};
Principal agent(const AgentName& name) { return {PrincipalKind::agent, name}; }

PlanDeed deed(std::string what, int number, Principal who, Seq turn, plan::Command command) {
  return {PlanDeed::Kind::execute,
          {RequestId(fmt::format("r{}", number)), std::move(who), turn},
          std::move(command),
          std::move(what)};
}

plan::Command fitting_tool(Dice& dice, Role role, int run, int number) {
  if (dice.one_in(8)) return AskUser{run, fmt::format("why {}?", number)};
  if (role == Role::coder) return RequestReview{run, fmt::format("made {}", number)};
  if (dice.one_in(3)) return RequestChanges{run, fmt::format("no {}", number)};
  return plan::Approve{run, fmt::format("good {}", number)};
}

std::string frontmatter(Dice& dice, std::string_view end) {
  constexpr std::array<std::string_view, 6> kForms = {
      "",
      "active_step: 1\n",
      "# note\nstep_status:\n  1: pending\nactive_step: 1 # here\n",
      "step_status: {\"1\": pending, 2: pending}\nother: [x]\n",
      "active_step: \"1\" # here\nother: [x]\n",
      "title: 'a plan'\nactive_step:\n",
  };
  std::string text(dice.pick(kForms));
  if (!text.empty()) text = "---\n" + text + "---\n";
  for (auto at = text.find('\n'); end != "\n" && at != std::string::npos;
       at = text.find('\n', at + end.size()))
    text.replace(at, 1, end);
  return text;
}

std::string step_text(int number, std::string_view end) {
  return fmt::format("## Step {0}: part {0}{1}{1}Text.{1}{1}", number, end);
}

std::size_t steps_in(const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find("## Step"); at != std::string::npos; at = text.find("## Step", at + 1))
    ++count;
  return count;
}

std::string_view line_end(const std::string& text) {
  return text.find('\r') == std::string::npos ? "\n" : "\r\n";
}

}  // namespace

PlanDeed to_drive() { return {PlanDeed::Kind::drive, {}, {}, "drive"}; }

PlanDeed to_open(Dice& dice, int number) {
  Policy policy;
  policy.coder = kCoder;
  policy.reviewer = dice.one_in(5) ? kCoder : kReviewer;
  policy.max_change_requests = static_cast<int>(dice.below(3));
  if (dice.one_in(4)) policy.step_time_budget_minutes = 5;
  if (dice.one_in(3)) policy.explain = kReviewer;
  return deed("open", number, kUser, Seq::none, plan::Open{policy});
}

PlanDeed tool_call(Dice& dice, const State& state, const Worker& worker, int number) {
  const Seq turn = dice.one_in(2) ? Seq::none : state.turn;
  plan::Command command = fitting_tool(dice, worker.role, worker.run, number);
  std::string what = fmt::format("{} of run {}", verb_of(command), worker.run);
  return deed(std::move(what), number, agent(worker.agent), turn, std::move(command));
}

PlanDeed odd_tool_call(Dice& dice, const State& state, int number) {
  const int run = static_cast<int>(dice.below(static_cast<std::size_t>(state.last_run) + 2));
  const Run* known = state.run_of(run);
  const Role role = dice.one_in(4) || known == nullptr ? Role::reviewer : known->role;
  plan::Command command = fitting_tool(dice, role, run, number);
  const AgentName name = known != nullptr && !dice.one_in(6) ? known->agent : kReviewer;
  return deed(fmt::format("odd {} of run {}", verb_of(command), run), number, agent(name),
              Seq::none, std::move(command));
}

PlanDeed wish(Dice& dice, const State& state, int number) {
  const Seq turn = dice.one_in(3) ? state.turn : Seq::none;
  const auto by_user = [&](plan::Command command) {
    std::string what(verb_of(command));
    return deed(std::move(what), number, kUser, turn, std::move(command));
  };
  if (state.halt && !dice.one_in(4)) return way_on(state, number);
  switch (dice.below(10)) {
    case 0: return by_user(Pause{});
    case 1: return by_user(Force{Role::coder, "you"});
    case 2: return by_user(Force{Role::reviewer, ""});
    case 3: return by_user(ResetGuard{});
    case 4: return by_user(plan::Reset{});
    case 5: return by_user(plan::Resume{});
    case 6: return by_user(plan::Reply{"", MessageId("msg_1")});
    case 7: return deed("reply by an agent", number, agent(kCoder), turn, plan::Reply{"me"});
    default: return by_user(plan::Reply{fmt::format("do {}", number)});
  }
}

PlanDeed way_on(const State& state, int number) {
  const bool doubted = state.problems_of("plan.md") != nullptr;  // for the user to decide
  if (is_active(state.phase) && doubted) return deed("pause", number, kUser, Seq::none, Pause{});
  if (is_active(state.phase)) {
    const Run& run = *state.current();
    plan::Command command = RequestReview{run.number, "made"};
    if (run.role == Role::reviewer) command = plan::Approve{run.number, "good"};
    return deed(fmt::format("{} of run {}", verb_of(command), run.number), number, agent(run.agent),
                state.turn, std::move(command));
  }
  const bool resumes =
      state.halt && (state.halt->kind == HaltKind::paused || state.halt->kind == HaltKind::failed);
  if (resumes) return deed("resume", number, kUser, Seq::none, plan::Resume{doubted});
  return deed("reply", number, kUser, Seq::none, plan::Reply{fmt::format("do {}", number)});
}

std::string first_plan(Dice& dice) {
  const std::string_view end = dice.one_in(4) ? "\r\n" : "\n";
  std::string text = (dice.one_in(6) ? "\xef\xbb\xbf" : "") + frontmatter(dice, end);
  const int steps = 1 + static_cast<int>(dice.below(3));
  for (int i = 1; i <= steps; ++i) text += step_text(i, end);
  return text;
}

std::string edited_plan(Dice& dice, const std::string& text, const std::string& sound) {
  const std::string_view end = line_end(text);
  const auto steps = steps_in(text);
  switch (dice.below(7)) {
    case 0: return text + step_text(static_cast<int>(steps) + 1, end);
    case 1: return text + "A note." + std::string(end);
    case 2: return "---\nactive_step: [\n---\n" + text;  // broken
    case 3: return "---\nactive_step: 1\n";              // not closed, and the rest is gone
    case 4: return sound;
    default: break;
  }
  const auto at = text.find("active_step:");
  if (at == std::string::npos) return sound;
  const auto line = std::min(text.find('\n', at), text.size());
  return text.substr(0, at) + fmt::format("active_step: {}", 1 + dice.below(steps + 1)) +
         (end == "\n" ? "" : "\r") + text.substr(line);
}

}  // namespace pf::sim
