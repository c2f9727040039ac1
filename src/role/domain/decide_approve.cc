#include "base/hash.h"
#include "role/domain/deciders.h"

namespace pf::role {
namespace {

std::string landing_note(const Landing& landing) {
  std::vector<std::string> lines = {fmt::format("{} is approved", name_of_landing(landing)),
                                    fmt::format("Branch: {}", landing.branch)};
  if (landing.asks) lines.emplace_back("Commit or merge wait for the human: pairflow inbox");
  for (const std::string_view line : split(landing.words, '\n')) lines.emplace_back(line);
  return note_of(lines);
}

// A task whose file tells a status is told to be done.
std::optional<TaskWrite> task_write(const Asking& asking, const std::string& id) {
  const document::Task* task = asking.reading->task(id);
  if (task == nullptr) return std::nullopt;
  const FileFact* file = find_in(asking.reading->task_files, task->path, &FileFact::name);
  const auto text = document::set_task_status(task->path, file->text, document::WorkStatus::done);
  if (!text || *text == file->text) return std::nullopt;
  return TaskWrite{task->path, file->hash, hash_of(*text)};
}

// Nobody but the planner takes a task away.
std::optional<Rejection> lost_tasks(const Asking& asking, const Work& work) {
  std::vector<std::string> lost;
  for (const std::string& id : work.planned)
    if (!contains(work.done, id) && asking.reading->task(id) == nullptr) lost.push_back(id);
  if (lost.empty()) return std::nullopt;
  return refuse(
      fmt::format("tasks of {} are gone: {}", work.feature, join(lost, ", ")),
      fmt::format("the planner handed them over, and {} has no file of theirs", kCurrentFolder),
      "put them back, or let the planner hand over anew: pairflow role handoff --to "
      "PLANNER --message <note>");
}

// What agents cannot do: git's own files are out of their reach.
std::string by_hand(const Asking& asking, std::string fix) {
  if (asking.is_human()) return fix;
  return fmt::format("ask the human for `{}`: pairflow role block --by HUMAN --message <questions>",
                     fix);
}

std::optional<Rejection> wrong_checkout(const Asking& asking, const std::string& branch) {
  const RepositoryFact& repo = *asking.facts.repository;
  if (!repo.unfinished.empty())
    return refuse(fmt::format("a {} is unfinished in the repository", printable(repo.unfinished)),
                  "", by_hand(asking, "finish or abort it with git, then run this again"));
  if (repo.find(branch) == nullptr)
    return refuse(fmt::format("there is no branch {}", branch), "state.json names it",
                  by_hand(asking, fmt::format("git switch -c {}", branch)));
  if (repo.branch != branch)
    return refuse(fmt::format("{} is not checked out", branch),
                  fmt::format("{} is", repo.branch.empty() ? "no branch" : printable(repo.branch)),
                  by_hand(asking, fmt::format("git switch {}", branch)));
  return std::nullopt;
}

// The human's word on what waits; a conflict is seen before anything changes.
Outcome approve_waiting(const Asking& asking, Landing landing) {
  if (landing.stage == Stage::approval && !landing.into.empty()) {
    if (!asking.facts.merge) return need(Need::merge);
    const MergeFact& merge = *asking.facts.merge;
    if (!merge.conflicts.empty())
      return refuse(
          fmt::format("{} cannot be merged into {}", name_of_landing(landing), landing.into),
          fmt::format("conflicts in {}", clip(printable(join(merge.conflicts, ", ")), 400)),
          fmt::format(
              "on {0}: rm {1} && git merge {2}, resolve these alone (of {1}, {3} and {4} keep "
              "yours: "
              "git checkout --ours -- <path>; the feature's line is set then), commit it and run "
              "this again; or: pairflow role rework {5} --message \"…\"; or: pairflow role decline "
              "{5}",
              landing.into, kRegisterFile, landing.commit, kRoadmapFile, kCurrentFolder,
              landing.feature));
    if (!merge.dirty.empty())
      return refuse(fmt::format("{} has changes that are not committed", landing.into),
                    clip(printable(join(merge.dirty, ", ")), 400),
                    "commit or stash them, then run this again");
  }
  Event event = make_event(asking, "orchestrator", LandingApproved{landing.number});
  landing.trouble.clear();
  if (landing.stage == Stage::approval)
    return advance(asking, std::move(event), std::move(landing));
  event.landing = std::move(landing);  // what stopped is tried again
  return std::vector{std::move(event)};
}

Landing new_landing(const Asking& asking, LandingKind kind, const Work& work,
                    const std::string& words) {
  const State& state = asking.state;
  Landing landing;
  landing.number = state.last_landing + 1;
  landing.kind = kind;
  landing.feature = work.feature;
  landing.title = work.title;
  landing.level = level_of(state);
  landing.checked = state.policy.has_checks;
  landing.words = words;
  landing.branch =
      work.task_branch.empty() || kind == LandingKind::feature ? work.branch : work.task_branch;
  if (const auto* fact = asking.facts.repository->find(landing.branch)) landing.tip = fact->tip;
  landing.commit = landing.tip;
  return landing;
}

Event begin_landing(const Asking& asking, Event event, Landing landing) {
  landing.stage = stages_of(landing).front();
  switch_to(asking, event, Role::reviewer, Lifecycle::done, landing_note(landing),
            name_of(Role::reviewer));
  event.landing = std::move(landing);
  return event;
}

// A word that could be meant for several is meant for none.
std::optional<Rejection> ambiguous(const State& state, const std::string& feature) {
  std::vector<std::string> meant;
  for (const Landing& landing : state.landings)
    if (landing.kind == LandingKind::feature && landing.stage == Stage::approval)
      meant.push_back(landing.feature);
  const bool active =
      state.work && state.reg.current_role == Role::reviewer && state.at_hand() == nullptr;
  if (active) meant.push_back(state.work->feature);
  if (!feature.empty() || meant.size() < 2) return std::nullopt;
  return usage(fmt::format("several features could be meant: {}", join(meant, ", ")),
               "name one: --feature " + meant.front());
}

}  // namespace

const Landing* on_its_way(const State& state, LandingKind kind, std::string_view feature) {
  for (const Landing& landing : state.landings) {
    const bool waits = landing.stage == Stage::approval || !landing.trouble.empty();
    const bool goes = is_over(landing.stage) || landing.stage == Stage::keep;
    if (waits && !goes && landing.kind == kind && (feature.empty() || landing.feature == feature))
      return &landing;
  }
  return nullptr;
}

Autopilot level_of(const State& state) {
  const bool passes = state.policy.has_checks || !state.unchecked.empty();
  return passes ? state.autopilot() : Autopilot::off;
}

Outcome after_task(const Asking& asking, Event event, Work work, const std::string& words) {
  work.task.clear(), work.task_branch.clear(), work.risk.clear();
  work.coded_by.clear(), work.requested.clear();
  event.effort = asking.state.effort;
  event.effort->change_requests = 0;
  RoleRegister reg = event.now.value_or(asking.state.reg);
  reg.branch = work.branch;
  event.now = reg;
  if (const document::Task* next = next_task(*asking.reading, work.done)) {
    work.task = next->id;
    switch_to(asking, event, Role::planner, Lifecycle::handoff, task_note(work, *next),
              name_of(Role::reviewer));
    event.work = std::move(work);
    return std::vector{std::move(event)};
  }
  if (!asking.facts.repository) return need(Need::repository);
  event.work = work;
  State after = apply(asking.state, event);
  const Asking then{after, asking.request, asking.facts, asking.reading};
  Outcome feature = approve_feature(then, work, words, false);
  if (auto* events = std::get_if<std::vector<Event>>(&feature)) {
    events->insert(events->begin(), std::move(event));
    return feature;
  }
  const auto* rejection = std::get_if<Rejection>(&feature);
  if (rejection == nullptr) return feature;
  switch_to(
      asking, event, Role::reviewer, Lifecycle::handoff,
      note_of(
          {fmt::format("Every task of {} is approved, but it cannot be closed yet", work.feature),
           rejection->error.what, rejection->error.why,
           "Once that is mended: pairflow role approve-feature",
           "Who has to mend it? Hand over: pairflow role handoff --to PLANNER --message <note>"}),
      name_of(Role::reviewer));
  return std::vector{std::move(event)};
}

Outcome approve_feature(const Asking& asking, const Work& work, const std::string& words,
                        bool by_word) {
  const State& state = asking.state;
  if (auto rejection = unsound_roadmap(asking)) return *rejection;
  if (asking.reading->roadmap.find(work.feature) == nullptr)
    return refuse(fmt::format("{} is not in {}", work.feature, kRoadmapFile),
                  "its line there is to be set to done",
                  fmt::format("add it as `- [ ] {}: title`", work.feature));
  if (!asking.facts.repository) return need(Need::repository);
  if (auto rejection = wrong_checkout(asking, work.branch)) return *rejection;
  Landing landing = new_landing(asking, LandingKind::feature, work, words);
  landing.into = state.policy.default_branch;
  landing.commits = true;
  landing.by_word = by_word;
  landing.asks = !by_word && landing.level != Autopilot::full;
  landing.pulls =
      !by_word && landing.level == Autopilot::review_only && state.policy.has_pr_command;
  landing.posts = landing.level == Autopilot::full;
  landing.strict = by_word || landing.level != Autopilot::off;
  landing.tasks = work.done;
  landing.planned = work.planned;
  landing.said = work.words;
  landing.removes = asking.facts.repository->leftovers;
  landing.reset = document::default_register(now_text(asking));
  if (state.reg.autopilot) landing.reset.autopilot = state.autopilot();  // as ordered
  landing.reset.run_id = state.reg.run_id;
  if (!state.automation.empty()) landing.reset.run_id = state.automation;
  landing.reset.last_agent = std::string(name_of(Role::reviewer));
  landing.reset.foreign = state.reg.foreign;
  Event event = make_event(asking, "orchestrator", FeatureApproved{work.feature});
  return std::vector{begin_landing(asking, std::move(event), std::move(landing))};
}

Outcome handle(const Asking& asking, const ApproveTask& c) {
  const State& state = asking.state;
  if (asking.is_human())
    if (const Landing* landing = on_its_way(state, LandingKind::task, ""))
      return approve_waiting(asking, *landing);
  const auto role = acting_role(asking, Verb::approve_task, {});
  if (!role) return role.error();
  if (auto rejection = bad_note(c.msg, true)) return *rejection;
  if (!state.work || state.work->task.empty())
    return refuse("there is no task to approve", "",
                  "approve the feature: pairflow role approve-feature");
  if (auto rejection = unsound_tasks(asking)) return *rejection;
  Work work = *state.work;
  if (auto rejection = lost_tasks(asking, work)) return *rejection;
  if (asking.reading->task(work.task) == nullptr)
    return refuse(fmt::format("{} has no file in {}", work.task, kCurrentFolder), "",
                  "put it back, or let the planner hand over anew: pairflow role handoff --to "
                  "PLANNER --message <note>");
  const bool merges = !work.task_branch.empty();
  const Autopilot level = level_of(state);
  const bool touches_git = merges || level != Autopilot::off;
  if (touches_git && !asking.facts.repository) return need(Need::repository);
  const std::string task = work.task;
  work.done.push_back(task);
  const document::Task* next = next_task(*asking.reading, work.done);
  Event event = make_event(
      asking, "orchestrator",
      TaskApproved{work.feature, task, next == nullptr ? std::nullopt : std::optional(next->id)});
  event.task_write = task_write(asking, task);
  // The work of a feature's last task goes into its closing commit.
  const bool commits =
      touches_git && !asking.facts.repository->dirty.empty() && (merges || next != nullptr);
  if (!merges && !commits) return after_task(asking, std::move(event), std::move(work), c.msg);
  if (auto rejection = wrong_checkout(asking, merges ? work.task_branch : work.branch))
    return *rejection;
  Landing landing = new_landing(asking, LandingKind::task, work, c.msg);
  landing.task = task;
  landing.commits = commits;
  if (merges) landing.into = work.branch;
  landing.by_word = asking.is_human();
  landing.asks = merges && !asking.is_human() && level != Autopilot::full;
  landing.strict = asking.is_human() || level != Autopilot::off;
  event.work = std::move(work);
  return std::vector{begin_landing(asking, std::move(event), std::move(landing))};
}

Outcome handle(const Asking& asking, const ApproveFeature& c) {
  const State& state = asking.state;
  if (asking.is_human()) {
    if (auto rejection = ambiguous(state, c.feature)) return *rejection;
    if (const Landing* landing = on_its_way(state, LandingKind::feature, c.feature))
      return approve_waiting(asking, *landing);
    const bool is_active = state.work && state.work->feature == c.feature;
    if (!c.feature.empty() && !is_active)
      return refuse(fmt::format("{} neither waits for you nor is it worked on",
                                clip(printable(c.feature), 20)),
                    "", "see: pairflow inbox");
  }
  const auto role = acting_role(asking, Verb::approve_feature, {});
  if (!role) return role.error();
  if (auto rejection = bad_note(c.msg, true)) return *rejection;
  if (!state.work)
    return refuse("no feature is active", "plan_slug and branch are null",
                  "see: pairflow role status");
  if (!c.feature.empty() && c.feature != state.work->feature)
    return refuse(fmt::format("{} is not the active feature", clip(printable(c.feature), 20)),
                  fmt::format("{} is", state.work->feature), "see: pairflow inbox");
  if (auto rejection = unsound_tasks(asking)) return *rejection;
  if (auto rejection = lost_tasks(asking, *state.work)) return *rejection;
  if (const document::Task* open = next_task(*asking.reading, state.work->done))
    return refuse(fmt::format("{} is not complete", state.work->feature),
                  fmt::format("{} {} is not approved", open->id, clip(printable(open->title), 80)),
                  state.work->task.empty()
                      ? "let it be planned: pairflow role handoff --to PLANNER --message <note>"
                      : "approve it first: pairflow role approve-task");
  return approve_feature(asking, *state.work, c.msg, asking.is_human());
}

}  // namespace pf::role
