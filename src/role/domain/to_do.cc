#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "role/domain/views.h"

// What an agent is told to do. It is obeyed to the letter: every sentence names what comes next,
// and only the last step ends the turn.
namespace pf::role {
namespace {

std::string task_name(const State& state, const Around& around) {
  const Work& work = *state.work;
  if (work.task.empty()) return fmt::format("{} {}", work.feature, clip(printable(work.title), 80));
  return fmt::format("{} of {} {}, which is described in {}", work.task, work.feature,
                     clip(printable(work.title), 80),
                     around.task_file.empty() ? fmt::format("{}{}-….md", kCurrentFolder, work.task)
                                              : around.task_file);
}

std::string planned(const State& state, const Around& around) {
  if (state.work && !state.work->task.empty())
    return fmt::format("Look whether the task is clear: {}. Mend the file where it is not.",
                       task_name(state, around));
  if (state.work)
    return fmt::format("Write what is left of {} as {}T##-<task>.md, one file a task.",
                       state.work->feature, kCurrentFolder);
  return fmt::format(
      "Choose a feature of {}{}, and write its tasks as {}T01-<task>.md, T02-<task>.md, …: what is "
      "to be done, and how one sees that it is.",
      kRoadmapFile,
      around.features.empty() ? "" : fmt::format(" ({})", join(around.features, ", ")),
      kCurrentFolder);
}

std::string coded(const State& state, const Around& around) {
  if (!state.work) return "Nothing is to be coded: no feature is active.";
  if (state.work->task.empty())
    return fmt::format("Every task of {} was approved before: do what the note asks for.",
                       task_name(state, around));
  return fmt::format("Do {}. Write its tests, too.", task_name(state, around));
}

std::string reviewed(const State& state, const Around& around) {
  if (!state.work) return "Nothing is to be reviewed: no feature is active.";
  return fmt::format("Judge {}: read what was changed, run the checks.", task_name(state, around));
}

// What is done between taking the role and giving it away.
std::string part_of(const State& state, Role role, const Around& around) {
  const bool asked = state.asked_by && *state.asked_by != role;
  if (asked)
    return fmt::format("{} asks you what the note says. Find the answer.", *state.asked_by);
  switch (role) {
    case Role::planner: return planned(state, around);
    case Role::coder: return coded(state, around);
    default: return reviewed(state, around);
  }
}

std::string handoff(Role to, std::string_view more, std::string_view note) {
  return fmt::format("pairflow role handoff --to {}{} --message \"<{}>\"", to, more, note);
}

// The commands that end the turn, the usual one first.
std::vector<std::string> endings(const State& state, Role role, const Around& around) {
  std::vector<std::string> all;
  if (state.asked_by && *state.asked_by != role)
    all.push_back(handoff(*state.asked_by, "", "your answer"));
  if (role == Role::planner && all.empty()) {
    const std::string feature = around.features.empty() ? "F001" : around.features.front();
    all.push_back(handoff(Role::coder,
                          !state.work                ? " --feature " + feature
                          : state.work->task.empty() ? ""
                                                     : " --task " + state.work->task,
                          "the task and its file"));
  }
  if (role == Role::coder && all.empty())
    all.push_back(handoff(Role::reviewer, "", "what you did, with paths"));
  if (role == Role::reviewer && all.empty()) {
    all.push_back(
        fmt::format("pairflow role {} --message \"<a word about it>\"",
                    state.work && state.work->task.empty() ? "approve-feature" : "approve-task"));
    all.push_back(handoff(Role::coder, "", "what has to change"));
  }
  const Role other = role == Role::planner ? Role::coder : Role::planner;
  if (state.work)
    all.push_back(
        fmt::format("pairflow role block --by {} --message \"<your questions?>\"", other));
  if (state.reg.state != Lifecycle::init)
    all.push_back("pairflow role block --by HUMAN --message \"<your questions?>\"");
  return all;
}

}  // namespace

Around around_of(const State& state, const Reading& reading) {
  Around around;
  around.has_roadmap = reading.has_roadmap && reading.roadmap_problems.empty();
  if (state.work)
    if (const document::Task* task = reading.task(state.work->task)) around.task_file = task->path;
  for (const document::Feature& feature : reading.roadmap.features) {
    const bool open = feature.status == document::WorkStatus::planned ||
                      feature.status == document::WorkStatus::in_progress;
    const bool waits = std::ranges::any_of(state.landings, [&](const Landing& landing) {
      return !is_over(landing.stage) && landing.feature == feature.id;
    });
    if (open && !waits) around.features.push_back(feature.id);
  }
  return around;
}

std::string to_do(const State& state, Role role, bool started, const Around& around) {
  std::vector<std::string> steps;
  if (state.reg.state == Lifecycle::init && !around.has_roadmap)
    steps.push_back(
        fmt::format("Write {}: one line `- [ ] F001: title` for each feature of what the "
                    "repository is to become.",
                    kRoadmapFile));
  if (!started) steps.emplace_back("Take the role:\n   pairflow role start");
  steps.push_back(part_of(state, role, around));
  std::string last = "End your turn with one of these commands, and with it your run:";
  for (const std::string& command : endings(state, role, around)) last += "\n   " + command;
  steps.push_back(std::move(last));
  std::string out = started ? fmt::format("You are the {} now. Go on:\n", role) : "";
  for (std::size_t i = 0; i < steps.size(); ++i) out += fmt::format("{}. {}\n", i + 1, steps[i]);
  return out;
}

}  // namespace pf::role
