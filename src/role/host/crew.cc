#include "role/host/crew.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "role/domain/effort.h"
#include "role/host/launch.h"

namespace pf {
namespace {

// This program's run of the checks, as a process that ends when we do; its errors go to the log.
Result<std::unique_ptr<PipedChild>> start_checks(RoleLoop& loop, int landing) {
  Os& os = loop.os();
  const RolePaths& paths = loop.paths();
  LaunchPlan launch;
  launch.argv = {os.env.executable().string(), "run-role-checks", "--landing",
                 std::to_string(landing)};
  launch.keep = {"*"};
  launch.ends_with_parent = true;
  const Path file = paths.runtime / fmt::format("{}.checks.launch", kRoleLoop);
  return os.processes.converse({TRY(entering(os, file, launch)), paths.repository.top},
                               paths.errors);
}

}  // namespace

Status RoleCrew::see(const role::State& state, role::Observed& observed) {
  wake_at_.reset();
  if (!state.child) child_.reset();
  const bool checking = std::ranges::any_of(state.landings, [](const role::Landing& landing) {
    return landing.stage == role::Stage::checks || landing.stage == role::Stage::merge_checks;
  });
  if (!checking) end_checks();
  if (state.child && TRY(child_exists(loop(), *state.child)))
    observed.children.push_back(state.child->id);
  if (!run_) return {};
  observed.now = loop().os().clock.moment();
  if (const auto deadline = role::budget_deadline_ms(state, observed.now))
    wake_at_ = loop().os().clock.mono() + std::chrono::milliseconds(std::max<std::int64_t>(
                                              0, *deadline - observed.now.mono_ms));
  const auto exit = run_->process->ended();
  observed.runs.push_back(
      {run_->started.run, run_->started.role, run_->started.agent, !exit, exit});
  return {};
}

Result<bool> RoleCrew::perform_agents(const role::State& state, const role::Effect& effect) {
  if (const auto* wanted = std::get_if<role::LaunchAgent>(&effect)) return launch(state, *wanted);
  if (const auto* start = std::get_if<role::RecordStart>(&effect)) return record_start(start->run);
  if (const auto* end = std::get_if<role::StopRun>(&effect)) return stop(end->run, end->switched);
  if (const auto* end = std::get_if<role::RecordEnd>(&effect)) return record_end(*end);
  if (const auto* given = std::get_if<role::Delegate>(&effect))
    return report(role::ReportDelegated{TRY(new_child_id(loop(), state, given->by))});
  if (const auto* wanted = std::get_if<role::MakeChild>(&effect)) {
    const auto made = make_child(loop(), state, wanted->child);
    if (made) return true;
    return report(role::ReportChildEnded{wanted->child.id, false, in_words(made.error())});
  }
  return false;
}

Result<bool> RoleCrew::launch(const role::State& state, const role::LaunchAgent& wanted) {
  const std::string branch = state.reg.branch.value_or("");
  if (wanted.role != role::Role::planner && TRY(loop().git().branch()) != branch)
    return report(
        role::StopAutomation{fmt::format("{} is not checked out; git switch {}", branch, branch)});
  auto started = start_role_run(loop(), state, wanted);
  if (!started) return report(role::StopAutomation{in_words(started.error())});
  run_ = Run{{wanted.run, wanted.role, wanted.agent, started->transcript},
             std::move(started->process)};
  return true;
}

Result<bool> RoleCrew::record_end(const role::RecordEnd& effect) {
  if (!is_at_work(effect.run)) return report(role::ReportRunEnded{effect.run, 0, true});
  TRY(hear({}));
  role::ReportRunEnded ended{effect.run, run_->process->code(effect.exit), !effect.exit};
  ended.what = run_->process->last_words(ended.exit);
  run_.reset();
  return report(ended);
}

Result<bool> RoleCrew::check(const role::RunChecks& wanted) {
  if (!checks_) {
    checks_ = TRY(start_checks(loop(), wanted.landing));
    return false;
  }
  const auto exit = checks_->ended();
  if (!exit) return false;
  checks_.reset();
  if (*exit == 0) return true;
  return fail(Exit::machine, "the checks could not be run",
              fmt::format("{} says why", loop().paths().errors.string()),
              "then: pairflow role run");
}

void RoleCrew::end_checks() {
  if (checks_ && !checks_->ended()) checks_->kill_group();
  checks_.reset();
}

std::vector<int> RoleCrew::descriptors() const {
  if (checks_) return {checks_->pidfd()};
  if (child_) return child_->descriptors();
  return HeadlessWork::descriptors();
}

Result<DrivenWork::Standing> RoleCrew::advance() {
  for (;;) {
    const role::State state = TRY(settle());
    if (state.automation.empty() && !run_) return Standing{state.last_seq, true};
    if (!TRY(tend(state))) return Standing{state.last_seq, false};
  }
}

Result<bool> RoleCrew::tend(const role::State& state) {
  if (!state.child || state.automation.empty() || run_) return false;
  const auto tell = [this](const std::string& prefix, const std::string& text) {
    say("said", prefix, text);
  };
  if (!child_) child_ = std::make_unique<ChildKeeper>(loop(), *state.child, tell);
  const auto filed = TRY(child_->look());
  if (!filed) return false;
  child_.reset();
  return report(*filed);
}

Result<bool> RoleCrew::hear(const std::vector<int>& readable) {
  if (child_) child_->hear(readable);
  return HeadlessWork::hear(readable);
}

Status RoleCrew::take(const StreamItem& item) {
  using Kind = StreamItem::Kind;
  const bool is_tool = item.kind == Kind::tool || item.kind == Kind::blocked;
  if (item.ours || (!is_tool && item.kind != Kind::said && item.kind != Kind::failed)) return {};
  const std::string role = lower(name_of(run_->started.role));
  say("said", fmt::format("[{}{}]", role, item.tool.empty() ? "" : ":" + item.tool),
      printable_lines(item.text));
  return {};
}

Status RoleCrew::leave(const Error* failure) {
  child_.reset();
  end_checks();
  if (run_) {
    TRY(stop_now());
    const auto filed = loop().report(run_->started);
    if (filed) TRY(loop().report(role::ReportRunEnded{run_->started.run, 0, true}));
    run_.reset();
  }
  if (failure != nullptr) TRY(loop().report(role::StopAutomation{in_words(*failure)}));
  return {};
}

}  // namespace pf
