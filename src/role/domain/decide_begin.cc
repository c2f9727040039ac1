#include <algorithm>

#include "role/domain/deciders.h"
#include "role/domain/reading.h"

namespace pf::role {
namespace {

constexpr std::string_view kInitMsg =
    "First run: write docs/ROADMAP.md (one line `- [ ] F001: title` for each feature) and the "
    "policy files\nThen: pairflow role start";

// What is to be said about a file, when it is not what was said last.
void file_problems(const Asking& asking, std::string_view file, const Hash& hash,
                   const std::vector<Problem>& problems, std::vector<Event>& events) {
  const FileProblems* before = asking.state.problems_of(file);
  const bool same =
      before == nullptr ? problems.empty() : before->problems == problems && before->hash == hash;
  if (!same)
    events.push_back(own_event(asking, "human", Validated{{std::string(file), hash, problems}}));
}

// Says otherwise who acts next, or on what; a note alone does not.
bool switches(const RoleRegister& a, const RoleRegister& b) {
  return a.current_role != b.current_role || a.state != b.state || a.plan_slug != b.plan_slug ||
         a.branch != b.branch;
}

// An edit never raises what counts: where state.json says less than was ordered, that is the order
// from now on. One that raises it while an agent is at work, who can write the file too, is undone.
void keep_autopilot(const State& state, RoleRegister& now, RegisterEdited& edited) {
  const Autopilot was = state.reg.autopilot.value_or(Autopilot::off);
  const Autopilot is = now.autopilot.value_or(Autopilot::off);
  if (std::min(was, is) < state.ordered) edited.ordered = std::min(was, is);
  if (state.run && is > was) now.autopilot = state.reg.autopilot;
}

}  // namespace

Outcome handle(const Asking& asking, const Init& c) {
  if (asking.state.begun)
    return refuse(
        "init is for the first run only",
        fmt::format("the roles began here; it is {}'s turn", asking.state.reg.current_role),
        "see: pairflow role status");
  if (!asking.is_human() && !c.policy.planner.empty() &&
      c.policy.planner != asking.request.who.name)
    return refuse("init is the planner's",
                  fmt::format("[role.agents] gives that role to {}", c.policy.planner),
                  "leave it to them, or to a human");
  if (c.policy.types.empty() || c.policy.default_branch.empty())
    return usage("the role loop needs branch types and a default branch",
                 "set [role] branch_types and default_branch");
  if (!asking.facts.repository) return need(Need::repository);
  const Reading& reading = *asking.reading;
  Event event = make_event(asking, "both", Initialized{c.policy, reading.exists});
  event.clean = foreign_changes_in(asking.facts.repository->dirty).empty();
  event.then = Standing{};
  if (reading.exists) {
    event.now = reading.reg;
    event.write = RegisterWrite{{reading.hash, reading.hash}, *reading.reg};
    State first = asking.state;
    first.policy = c.policy;
    event.work = work_of(first, *reading.reg, reading);
    return std::vector{std::move(event)};
  }
  RoleRegister reg = document::default_register(now_text(asking));
  reg.state = Lifecycle::init;
  reg.msg = kInitMsg;
  set_register(asking, event, std::move(reg));
  return std::vector{std::move(event)};
}

Outcome handle(const Asking& asking, const Configure& c) {
  if (c.policy == asking.state.policy) return nothing();
  return std::vector{make_event(asking, "orchestrator", Configured{c.policy})};
}

namespace {

// Without checks nothing passes: an autopilot that were ordered all the same would act as off.
std::optional<Rejection> without_checks(const State& state, const SetAutopilot& c) {
  const std::string order = fmt::format("pairflow role autopilot {}", c.level);
  if (c.without_checks.empty()) {
    const bool said = state.ordered == c.level && !state.unchecked.empty();
    if (state.policy.has_checks || c.level == Autopilot::off || said) return std::nullopt;
    return refuse(
        fmt::format("autopilot {} needs checks, and none are configured", c.level),
        "it goes on where they pass; without any it would act as off",
        fmt::format("name them in [commands] of .pairflow/config.toml, then run this again; or say "
                    "why it goes without: {} --without-checks \"<reason>\"",
                    order));
  }
  if (state.policy.has_checks)
    return usage("there are checks", fmt::format("leave --without-checks out: {}", order));
  if (c.level == Autopilot::off)
    return usage("autopilot off asks you whatever the checks say", "leave --without-checks out");
  if (trim(c.without_checks).empty() || document::note_problem(c.without_checks) ||
      c.without_checks.find('\n') != std::string::npos)
    return usage("the reason is no plain line", "say it in one line of at most 200 characters");
  return std::nullopt;
}

}  // namespace

Outcome handle(const Asking& asking, const SetAutopilot& c) {
  const State& state = asking.state;
  if (auto rejection = without_checks(state, c)) return *rejection;
  const bool written = state.reg.autopilot.value_or(Autopilot::off) == c.level;
  const bool said = c.without_checks.empty() || c.without_checks == state.unchecked;
  if (state.ordered == c.level && written && said) return nothing();
  Event event =
      make_event(asking, "both", AutopilotSet{state.autopilot(), c.level, c.without_checks});
  if (const Landing* landing = state.at_hand()) event.landing = lowered(*landing, c.level);
  if (!written) {
    RoleRegister reg = state.reg;
    reg.autopilot = c.level;
    set_register(asking, event, std::move(reg));
  }
  return std::vector{std::move(event)};
}

std::optional<Work> work_of(const State& state, const RoleRegister& reg, const Reading& reading) {
  if (!reg.branch) return std::nullopt;
  const auto name = document::parse_branch(*reg.branch, state.policy.types);
  if (!name) return std::nullopt;
  if (state.work && state.work->feature == name->feature &&
      state.work->branch == name->feature_branch() &&
      state.work->task_branch == (name->is_task() ? *reg.branch : ""))
    return state.work;
  Work work{name->feature};
  work.branch = name->feature_branch();
  if (const auto* feature = reading.roadmap.find(name->feature)) work.title = feature->title;
  for (const document::Task& task : reading.tasks)
    if (task.status == document::WorkStatus::done) work.done.push_back(task.id);
  if (state.work && state.work->feature == work.feature) {
    work.done = state.work->done;
    work.words = state.work->words;
    work.kept = state.work->kept;
  }
  if (name->is_task()) {
    work.task_branch = *reg.branch;
    work.task = name->task;
    work.risk = "as found in the register";
  } else if (const auto* task = next_task(reading, work.done)) {
    work.task = task->id;
  }
  return work;
}

// The agent at work has lost the role when the edit gives it away. A landing that has moved
// nothing yet is dropped by an edit that says otherwise; one that has goes on, and what it says
// stays.
Event edit_event(const Asking& asking, std::string_view verb) {
  const State& state = asking.state;
  const Reading& reading = *asking.reading;
  RoleRegister now = merged_edit(state, *reading.reg);
  const Landing* landing = state.at_hand();
  const bool fixed = landing != nullptr && !can_drop(*landing);
  if (fixed) {
    now.plan_slug = state.reg.plan_slug, now.branch = state.reg.branch, now.msg = state.reg.msg;
    now.current_role = state.reg.current_role, now.state = state.reg.state;
  }
  RegisterEdited edited{std::string(verb), state.disk, reading.hash, keys_in_words(state.reg, now)};
  edited.run = state.run ? state.run->number : 0;
  keep_autopilot(state, now, edited);
  Event event = own_event(asking, "both", std::move(edited));
  const bool moved = switches(state.reg, now);
  if (now != *reading.reg)
    set_register(asking, event, now);
  else
    event.now = now;
  if (landing != nullptr) event.landing = lowered(*landing, now.autopilot.value_or(Autopilot::off));
  if (!moved) return event;
  event.work = work_of(state, now, reading);
  event.ends_work = !event.work;
  if (landing != nullptr && !fixed) {
    event.landing = *landing;
    event.landing->stage = Stage::dropped;
    event.landing->trouble =
        state.run ? fmt::format("state.json was edited while run {} was at work", state.run->number)
                  : "state.json was edited by hand";
  }
  const bool keeps =
      state.taken && now.current_role == state.taken->role && now.state == Lifecycle::in_progress;
  event.then = Standing{keeps ? state.taken : std::nullopt,
                        now.state == Lifecycle::blocked ? state.asked_by : std::nullopt,
                        now.state == Lifecycle::blocked && state.for_human};
  return event;
}

Outcome handle(const Asking& asking, const CheckDocuments&) {
  const Reading& reading = *asking.reading;
  std::vector<Event> events;
  file_problems(asking, kRegisterFile, reading.hash, reading.problems, events);
  file_problems(asking, kRoadmapFile, reading.roadmap_hash, reading.roadmap_problems, events);
  for (const FileProblems& file : reading.task_problems)
    file_problems(asking, file.file, file.hash, file.problems, events);
  for (const FileProblems& old : asking.state.problems) {
    const bool is_task = old.file.starts_with(kCurrentFolder);
    if (is_task && !contains(reading.task_problems, old.file, &FileProblems::file))
      file_problems(asking, old.file, {}, {}, events);
  }
  return events;
}

Outcome handle(const Asking& asking, const ReportWritten& e) {
  const State& state = asking.state;
  const bool is_register = e.path == kRegisterFile && state.write && state.write->after == e.hash;
  const bool is_task = std::ranges::any_of(state.task_writes, [&](const TaskWrite& write) {
    return write.path == e.path && (write.after == e.hash || e.hash != write.before);
  });
  if (!is_register && !is_task) return nothing();
  return std::vector{own_event(asking, "orchestrator", FileWritten{e})};
}

}  // namespace pf::role
