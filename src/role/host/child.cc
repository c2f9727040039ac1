#include "role/host/child.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "bubble/domain/views.h"
#include "bubble/host/loop.h"
#include "document/role/task_file.h"
#include "git/merging.h"
#include "plan/host/driver.h"
#include "plan/host/open.h"
#include "plan/host/viewer.h"

namespace pf {
namespace {

using role::CoderBy;

PlanPaths plan_paths(RoleLoop& loop, const std::string& id) {
  return {loop.paths().repository, plan::FeatureId(id)};
}

BubblePaths bubble_paths(RoleLoop& loop, const std::string& id) {
  return {loop.paths().repository, BubbleId(id)};
}

// The task's file; nothing when there is no task.
Result<std::optional<document::Task>> task_of(RoleLoop& loop, const role::State& state) {
  if (!state.work || state.work->task.empty()) return std::nullopt;
  for (const FileFact& file : TRY(loop.documents())) {
    if (!file.name.starts_with(std::string(role::kCurrentFolder) + state.work->task + "-"))
      continue;
    if (auto task = document::read_task(file.name, file.text)) return *std::move(task);
  }
  return std::nullopt;
}

std::string plan_text(const role::State& state, const document::Task& task) {
  std::string note;
  const std::string msg = printable_lines(state.reg.msg);
  for (const std::string_view line : split(msg, '\n')) note += fmt::format("> {}\n", line);
  return fmt::format(
      "---\nactive_step: 1\n---\n# {0}\n\nThe planner's note:\n\n{1}\n## Step 1: {0}\n\n"
      "Do what {2} says. Leave docs/agents/state.json alone.\n\n"
      "- Acceptance:\n  - what {2} asks for is done, with its tests\n",
      printable(task.title), note, task.path);
}

// `pairflow bubble <verb>`, in the name of the human who lets the roles run.
Status run_ordered(RoleLoop& loop, const std::string& verb, std::vector<std::string> options) {
  options.insert(options.begin(), {loop.os().env.executable().string(), "ordered-" + verb});
  const Finished done = TRY(loop.os().processes.run({options, loop.paths().repository.top}));
  if (done.ok()) return {};
  return fail(Exit::refused, fmt::format("pairflow bubble {} failed", verb),
              clip(printable(trim(done.err.empty() ? done.out : done.err)), 400));
}

// The bubble's change among what is not committed in the checkout; conflicts leave all as it was.
Result<std::vector<std::string>> copy_back(RoleLoop& loop, const CommitId& commit) {
  UserRepository& git = loop.git();
  const CommitId head = TRY(git.head());
  const TreeId files = TRY(git.snapshot({}));
  const CommitId now =
      TRY(git.make_commit({files, head, "The files before a bubble came home\n"}, {}));
  const MergedTree merged = TRY(git.merge_trees(now, commit));
  if (!merged.conflicts.empty()) return merged.conflicts;
  return git.carry(now.str(), merged.tree, {});
}

}  // namespace

Result<std::string> new_child_id(RoleLoop& loop, const role::State& state, CoderBy by) {
  const std::string feature = state.work ? state.work->feature : "feature";
  const std::string task = state.work ? state.work->task : "";
  const std::string base = lower(task.empty() ? feature : fmt::format("{}-{}", feature, task));
  for (int number = 1;; ++number) {
    const std::string id = number == 1 ? base : fmt::format("{}-{}", base, number);
    if (!TRY(child_exists(loop, role::Child{by, id}))) return id;
  }
}

Result<bool> child_exists(RoleLoop& loop, const role::Child& child) {
  if (child.by == CoderBy::bubble)
    return TRY(read_state<bubble::Domain>(loop.os(), bubble_paths(loop, child.id).loop_files()))
        .has_value();
  const PlanPaths plan = plan_paths(loop, child.id);
  return TRY(loop.os().files.exists(plan.journal)) ||
         TRY(loop.os().files.exists(plan.repository.top / plan.documents / "plan.md"));
}

Status make_child(RoleLoop& loop, const role::State& state, const role::Child& child) {
  const auto task = TRY(task_of(loop, state));
  if (!task)
    return fail(Exit::refused, "there is no task to delegate", "",
                fmt::format("write one as {}T01-<task>.md", role::kCurrentFolder));
  if (child.by == CoderBy::bubble)
    return run_ordered(
        loop, "create",
        {"--id", child.id, "--base", state.reg.branch.value_or(""), "--task", task->path});
  if (TRY(loop.settings()).plan_workspace != "repo")
    return fail(Exit::refused, "the plan would work in a worktree of its own",
                "the reviewer looks at your checkout", "set [plan] workspace = \"repo\"");
  const Path file = plan_paths(loop, child.id).documents / "plan.md";
  const Path path = loop.paths().repository.top / file;
  TRY(loop.os().files.make_directories(path.parent_path()));
  return loop.write_document(file.string(), Hash{}, plan_text(state, *task));
}

ChildKeeper::ChildKeeper(RoleLoop& loop, role::Child child, Say say)
    : loop_(loop), child_(std::move(child)), say_(std::move(say)) {}

// A plan is driven for the roles' sake: it stops with them.
ChildKeeper::~ChildKeeper() {
  constexpr Duration kEnd = std::chrono::seconds(10);
  if (!driver_) return;
  Os& os = loop_.os();
  const auto state = read_state<plan::Domain>(os, plan_paths(loop_, child_.id).loop_files());
  const auto held = Lock::is_held(os, driver_->process().paths.lease);
  const auto holder = Lock::last_holder(os, driver_->process().paths.lease);
  if (!state || !*state || !goes_on(**state) || !held || !*held || !holder) return;
  os.processes.terminate(*holder);
  os.processes.wait_gone(*holder, kEnd);
}

role::Command ChildKeeper::finished(std::string what) const {
  return role::ReportChildEnded{child_.id, true, std::move(what)};
}
role::Command ChildKeeper::failed(std::string what) const {
  return role::ReportChildEnded{child_.id, false, std::move(what)};
}
role::Command ChildKeeper::waits() const {
  return role::StopAutomation{
      fmt::format("the {} {} waits for you: pairflow inbox", name_of(child_.by), child_.id)};
}

Result<std::optional<role::Command>> ChildKeeper::look() {
  return child_.by == CoderBy::plan ? look_at_plan() : look_at_bubble();
}

Result<std::optional<role::Command>> ChildKeeper::look_at_plan() {
  Os& os = loop_.os();
  PlanLoop plan(os, plan_paths(loop_, child_.id));
  const Principal human{PrincipalKind::human};  // who lets the roles run
  if (!bell_) bell_ = TRY(os.files.listen(plan.paths().bells));
  bell_->silence();
  auto state = TRY(read_state<plan::Domain>(os, plan.paths().loop_files()));
  if (!state) {
    if (auto opened = open_plan(plan, {RequestId(os.random.token(16)), human, Seq::none},
                                {.delegated = true});
        !opened)
      return failed(in_words(opened.error()));
    state = TRY(plan.load());
  }
  TRY(tell(*state));
  if (!driver_) driver_.emplace(os, plan_driver(plan.paths()));
  if (wants_driver(*state))
    if (auto kept = driver_->keep(); !kept) return failed(in_words(kept.error()));
  const bool through = state->halt && state->halt->kind == plan::HaltKind::no_pending_steps;
  if (!through && state->phase != plan::Phase::done)
    return goes_on(*state) ? std::nullopt : std::optional(waits());
  if (goes_on(*state) || state->live() != nullptr) return std::nullopt;
  if (through)  // it ends with its last step
    TRY(plan.execute({RequestId(os.random.token(16)), human, state->turn},
                     plan::Reply{"The reviewer of the roadmap goes on from here."}));
  return finished(fmt::format("every step of docs/{}/plan.md is approved", child_.id));
}

Status ChildKeeper::tell(const plan::State& state) {
  PlanLoop plan(loop_.os(), plan_paths(loop_, child_.id));
  if (!tail_) tail_.emplace(loop_.os(), plan.paths().stream, state.mark);
  std::vector<StreamLine> events;
  for (const plan::Event& event : TRY(plan.events(tail_->mark()))) events.push_back(line_of(event));
  for (const StreamLine& line : tail_->merge(std::move(events), state.mark))
    say_(fmt::format("[{}]", child_.id), fmt::format("{} {}", line.prefix, line.text));
  return {};
}

Result<std::optional<role::Command>> ChildKeeper::look_at_bubble() {
  Os& os = loop_.os();
  const BubblePaths paths = bubble_paths(loop_, child_.id);
  if (!bell_) bell_ = TRY(os.files.listen(paths.bells));
  bell_->silence();
  const auto state = TRY(read_state<bubble::Domain>(os, paths.loop_files()));
  if (!state) return failed("it is gone");
  if (state->phase == bubble::Phase::created || state->phase == bubble::Phase::preparing) {
    if (begun_) return waits();
    begun_ = true;
    if (auto begun = run_ordered(loop_, "start", {"--id", child_.id}); !begun)
      return failed(begun.error().why);
    return look_at_bubble();
  }
  if (state->phase == bubble::Phase::done) {
    const auto conflicts = TRY(copy_back(loop_, state->committed));
    if (conflicts.empty()) return finished(fmt::format("commit {}", state->committed.str()));
    return failed("it conflicts in " + join(conflicts, ", "));
  }
  if (bubble::is_final(state->phase)) return failed(std::string(name_of(state->phase)));
  if (!bubble::inbox_of(*state).empty()) return waits();
  return std::nullopt;
}

std::vector<int> ChildKeeper::descriptors() const {
  std::vector<int> all;
  if (driver_ && driver_->end() >= 0) all.push_back(driver_->end());
  if (bell_) all.push_back(bell_->fd());
  return all;
}

void ChildKeeper::hear(const std::vector<int>& readable) {
  if (driver_ && std::ranges::find(readable, driver_->end()) != readable.end()) driver_->forget();
}

}  // namespace pf
