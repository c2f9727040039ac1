#include "role/domain/views.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "role/domain/effort.h"
#include "role/domain/outstanding.h"
#include "role/domain/switches.h"

namespace pf::role {
namespace {

std::string checks_text(const Landing& landing) {
  return landing.checked ? fmt::format(" Checks: {}.", landing.ci) : " No checks are configured.";
}

std::string approve_command(const Landing& landing) {
  return landing.kind == LandingKind::feature
             ? "pairflow role approve-feature --feature " + landing.feature
             : "pairflow role approve-task";
}

std::string rework_command(const std::string& feature) {
  return fmt::format("pairflow role rework {} --message \"…\"", feature);
}

std::vector<std::string> otherwise(const Landing& landing) {
  if (is_merged(landing)) return {};
  return {rework_command(landing.feature), "pairflow role decline " + landing.feature};
}

InboxItem waiting_item(const State& state, const Landing& landing) {
  const bool commits = landing.level == Autopilot::off && landing.commits;
  std::string text = fmt::format(
      "{} is approved by the reviewer. {} into {} waits for you.{}", name_of_landing(landing),
      commits ? "Committing and merging it" : "Merging it", landing.into, checks_text(landing));
  if (!landing.pull.empty())
    text += fmt::format(" Pull request: {} (merged there? first: rm {} && git pull)", landing.pull,
                        kRegisterFile);
  if (!landing.remark.empty()) text += " " + landing.remark;
  if (!landing.trouble.empty()) text += " It stopped before: " + printable(landing.trouble);
  const std::string kind = commits ? "commit" : "merge";
  return {landing.feature,   kind, state.since, "REVIEWER", text, approve_command(landing),
          otherwise(landing)};
}

// The role that asked hears the answer; the one that is to give it cannot hand over to itself.
std::string answer_command(const State& state) {
  const Role asker = state.asked_by.value_or(Role::coder);
  const Role to = asker == state.reg.current_role ? usual_next(asker) : asker;
  return fmt::format("pairflow role handoff --to {} --message \"…\"", to);
}

// The agents rest and nothing else says why.
InboxItem resting_item(const State& state) {
  const bool guarded = !spent_text(state).empty();
  InboxItem item{"role",
                 guarded ? "guard" : "resting",
                 state.since,
                 "orchestrator",
                 fmt::format("The agents rest: {}.", printable(state.halted)),
                 "pairflow role run"};
  if (guarded && state.work) item.otherwise = {rework_command(state.work->feature)};
  return item;
}

}  // namespace

std::vector<InboxItem> inbox_of(const State& state) {
  std::vector<InboxItem> items;
  if (!state.begun) return items;
  for (const Landing& landing : state.landings) {
    if (landing.stage == Stage::approval) {
      items.push_back(waiting_item(state, landing));
    } else if (!is_over(landing.stage) && landing.stage != Stage::keep &&
               !landing.trouble.empty()) {
      items.push_back({landing.feature, "landing", state.since, "orchestrator",
                       fmt::format("{} stopped at {}: {}", name_of_landing(landing), landing.stage,
                                   printable(landing.trouble)),
                       approve_command(landing), otherwise(landing)});
    }
  }
  if (state.reg.state == Lifecycle::blocked && !is_being_answered(state))
    items.push_back({"role", "blocked", state.since,
                     state.asked_by ? std::string(name_of(*state.asked_by)) : "orchestrator",
                     printable_lines(state.reg.msg), answer_command(state)});
  for (const FileProblems& file : state.problems)
    for (const Problem& problem : file.problems)
      items.push_back({file.file, "document", state.since, "orchestrator",
                       printable(document::in_words(file.file, problem)),
                       "pairflow role validate"});
  const Autopilot said = state.reg.autopilot.value_or(Autopilot::off);
  const std::vector<std::string> off = {"pairflow role autopilot off"};
  if (said > state.ordered)
    items.push_back(
        {"role", "autopilot", state.since, "orchestrator",
         fmt::format("state.json says autopilot {}; it counts when you order it.", said),
         fmt::format("pairflow role autopilot {}", said), off});
  const bool rests = !state.halted.empty() && state.halted != kAllFinished;
  if (rests && state.automation.empty() && items.empty()) items.push_back(resting_item(state));
  return items;
}

bool is_being_answered(const State& state) {
  return !state.automation.empty() && is_answerable(state);
}

std::string turn_text(const State& state) {
  if (!state.begun) return "not begun";
  std::string text = fmt::format("{} {}", state.reg.current_role, state.reg.state);
  if (state.taken)
    text += fmt::format(" · {} since {}", printable(state.taken->by), state.taken->at);
  return text;
}

std::string work_text(const State& state) {
  if (!state.work) return "no feature";
  const Work& work = *state.work;
  return fmt::format("{} {} on {}{}", work.feature, clip(printable(work.title), 80),
                     state.reg.branch.value_or(work.branch),
                     work.task.empty() ? "" : ", " + work.task);
}

std::string autopilot_text(const State& state) {
  const Autopilot said = state.reg.autopilot.value_or(Autopilot::off);
  const bool unchecked = !state.unchecked.empty() && !state.policy.has_checks;
  if (said == level_of(state))
    return fmt::format(
        "{}{}", said,
        unchecked ? fmt::format(" without checks: {}", printable(state.unchecked)) : "");
  if (said == state.autopilot())
    return fmt::format("{}, which acts as off: no checks are configured", said);
  return fmt::format("{} (state.json says {}; nobody has ordered it)", state.autopilot(), said);
}

std::string declined_text(const Landing& landing) {
  if (!landing.aside)
    return fmt::format("{} goes back to its coder, who is told why.\n", name_of_landing(landing));
  return fmt::format(
      "{} The planner is told why, and can choose {} again: it goes on from there. Not wanted at "
      "all? Set its line in {} to dropped.\n",
      landing.remark.empty() ? fmt::format("The work is kept on {}.", landing.branch)
                             : fmt::format("{}.", landing.remark),
      landing.feature, kRoadmapFile);
}

std::vector<std::string> landing_lines(const State& state) {
  std::vector<std::string> lines;
  for (const Landing& landing : state.landings)
    if (!is_over(landing.stage))
      lines.push_back(
          fmt::format("{}: {}{}", name_of_landing(landing), landing.stage,
                      landing.trouble.empty() ? "" : ", " + printable(landing.trouble)));
  return lines;
}

}  // namespace pf::role
