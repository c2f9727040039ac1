#include "role/host/child.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/views.h"
#include "bubble/host/loop.h"
#include "document/role/task_file.h"
#include "git/merging.h"
#include "plan/host/loop.h"
#include "role/host/own_process.h"

namespace pf {
namespace {

using role::CoderBy;

PlanPaths plan_paths(RoleLoop& loop, const std::string& id) {
  return {loop.paths().repository, plan::FeatureId(id)};
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

Status run_own(RoleLoop& loop, std::vector<std::string> words) {
  words.insert(words.begin(), loop.os().env.executable().string());
  const Finished done = TRY(loop.os().processes.run({words, loop.paths().repository.top}));
  if (done.ok()) return {};
  return fail(Exit::refused, fmt::format("pairflow {} {} failed", words[1], words[2]),
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
  const RolePaths& paths = loop.paths();
  if (child.by == CoderBy::bubble)
    return TRY(read_bubble(loop.os(), paths.control, BubbleId(child.id))).has_value();
  const PlanPaths plan = plan_paths(loop, child.id);
  return TRY(loop.os().files.exists(plan.log)) ||
         TRY(loop.os().files.exists(paths.repository.top / plan.documents / "plan.md"));
}

Status make_child(RoleLoop& loop, const role::State& state, const role::Child& child) {
  const auto task = TRY(task_of(loop, state));
  if (!task)
    return fail(Exit::refused, "there is no task to delegate", "",
                fmt::format("write one as {}T01-<task>.md", role::kCurrentFolder));
  if (child.by == CoderBy::bubble)
    return run_own(loop, {"bubble", "create", "--id", child.id, "--base",
                          state.reg.branch.value_or(""), "--task", task->path});
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

ChildKeeper::~ChildKeeper() {
  if (driver_ && !driver_->ended()) driver_->kill_group();
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
  if (driver_) {
    const auto exit = driver_->ended();
    if (!exit) return std::nullopt;
    TRY(hear());
    driver_.reset();
  }
  const PlanPaths paths = plan_paths(loop_, child_.id);
  const auto state = TRY(read_plan_state(loop_.os(), paths));
  const bool done = state && state->phase == plan::Phase::done;
  const bool through =
      state && state->halt && state->halt->kind == plan::HaltKind::no_pending_steps;
  if (through)  // whoever runs the roles has the plan end with its last step
    TRY(PlanLoop(loop_.os(), paths)
            .execute({RequestId(loop_.os().random.token(16)), {PrincipalKind::human}, state->turn},
                     plan::Reply{"The reviewer of the roadmap goes on from here."}));
  if (done || through)
    return finished(fmt::format("every step of docs/{}/plan.md is approved", child_.id));
  if (!driven_) {
    driver_ =
        TRY(start_own_process(loop_, "child", {"plan", "run", child_.id, "--plain", "--no-wait"}));
    driven_ = true;
    return std::nullopt;
  }
  if (!state)
    return failed(fmt::format(
        "it could not be driven, see {}",
        loop_.paths().errors.lexically_relative(loop_.paths().repository.top).string()));
  return waits();
}

Result<std::optional<role::Command>> ChildKeeper::look_at_bubble() {
  Os& os = loop_.os();
  const RolePaths& paths = loop_.paths();
  if (!bell_)
    bell_ = TRY(os.files.listen(BubblePaths(paths.repository, BubbleId(child_.id)).bells));
  bell_->silence();
  const auto state = TRY(read_bubble(os, paths.control, BubbleId(child_.id)));
  if (!state) return failed("it is gone");
  if (state->phase == bubble::Phase::created || state->phase == bubble::Phase::preparing) {
    if (driven_) return waits();
    driven_ = true;
    if (auto begun = run_own(loop_, {"bubble", "start", "--id", child_.id}); !begun)
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
  if (driver_) all = {driver_->pidfd(), driver_->output()};
  if (bell_) all.push_back(bell_->fd());
  return all;
}

// The lines of the plan's driver.
Status ChildKeeper::hear() {
  if (!driver_) return {};
  for (;;) {
    const auto some = driver_->read_some();
    if (!some || some->empty()) return {};
    unfinished_line_ += *some;
    for (auto end = unfinished_line_.find('\n'); end != std::string::npos;
         end = unfinished_line_.find('\n')) {
      say_(fmt::format("[{}]", child_.id), printable(unfinished_line_.substr(0, end)));
      unfinished_line_.erase(0, end + 1);
    }
  }
}

}  // namespace pf
