#include "plan/host/performer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "loop/settle.h"
#include "plan/domain/budget.h"
#include "plan/domain/describe.h"
#include "plan/domain/reading.h"

namespace pf {
namespace {

constexpr int kToolsLogged = 500;  // of one run; those that were blocked all are

}  // namespace

Result<bool> PlanPerformer::report(const plan::Command& command) {
  const auto answer = TRY(loop_.report(command));
  for (const std::string& words : answer.all_warnings())
    say_({"warning", iso8601(loop_.os().clock.wall()), "[pairflow]", words});
  return !answer.events.empty();
}

Result<plan::Observed> PlanPerformer::observe(const plan::State& state) {
  plan::Observed observed;
  if (run_) {
    const auto exit = run_->process->ended();
    observed.runs.push_back({run_->started.run, !exit, exit});
  }
  // Afterwards: what it wrote last was written while it was at work.
  observed.plan = TRY(loop_.document(state.policy.workspace, "plan.md")).hash;
  return observed;
}

Result<plan::State> PlanPerformer::settle() {
  plan::State state;
  TRY(pf::settle([&]() -> Result<bool> {
    state = TRY(loop_.load_durable());
    wake_at_.reset();
    for (const plan::Effect& effect : plan::outstanding(state, TRY(observe(state))))
      if (TRY(perform(state, effect))) return true;
    return false;
  }));
  TRY(watch_time(state));
  return state;
}

Result<bool> PlanPerformer::perform(const plan::State& state, const plan::Effect& effect) {
  return std::visit(
      [&]<class E>(const E& e) -> Result<bool> {
        if constexpr (std::is_same_v<E, plan::WriteRegister>) {
          TRY(loop_.write_plan(state.policy.workspace, e.write));
          return true;
        } else if constexpr (std::is_same_v<E, plan::RecordWritten>) {
          TRY(loop_.keep_plan(state.policy.workspace));
          return report(plan::ReportWritten{e.hash});
        } else if constexpr (std::is_same_v<E, plan::LookAtDocuments>) {
          return report(plan::CheckDocuments{});
        } else if constexpr (std::is_same_v<E, plan::StartRun>) {
          return start(state, e.run, false);
        } else if constexpr (std::is_same_v<E, plan::RecordStart>) {
          return record_start(e.run);
        } else if constexpr (std::is_same_v<E, plan::StopRun>) {
          return stop(e);
        } else {
          return record_end(state, e);
        }
      },
      effect);
}

Result<bool> PlanPerformer::start(const plan::State& state, int run, bool afresh) {
  explained_before_ = TRY(explained(state)).hash;
  tools_ = 0;
  const plan::Run& wanted = *state.run_of(run);
  auto started = starter_(loop_, state, wanted, afresh);
  if (started) {
    plan::ReportRunStarted filed{run, started->conversation, started->transcript};
    filed.program = started->program;
    filed.enforcement = started->enforcement;
    run_ = Run{wanted.role, std::move(filed), std::move(started->process)};
    return true;
  }
  return report(plan::ReportError{
      fmt::format("run {} could not be started: {}", run, in_words(started.error())), run});
}

Result<FileFact> PlanPerformer::explained(const plan::State& state) {
  return loop_.document(state.policy.workspace, std::string(plan::kExplainedFile));
}

Result<bool> PlanPerformer::record_start(int run) {
  if (!is_at_work(run)) return false;
  auto filed = report(run_->started);
  if (filed || filed.error().exit != Exit::refused) return filed;
  run_.reset();  // it is not wanted any more
  return true;
}

Result<bool> PlanPerformer::stop(const plan::StopRun& effect) {
  if (!is_at_work(effect.run)) return false;
  if (!effect.handed_over) return run_->process->stop(), true;
  wake_at_ = run_->process->stop_soon(loop_.os().clock.mono());
  return !wake_at_;
}

plan::ReportRunEnded PlanPerformer::Run::end_report(std::optional<int> exit) const {
  plan::ReportRunEnded report{started.run, process->code(exit), !exit};
  report.conversation = process->conversation();
  report.input_tokens = process->usage().input_tokens;
  report.output_tokens = process->usage().output_tokens;
  report.what = process->last_words(report.exit);
  return report;
}

// One whose program does not know the conversation that it was to go on in begins afresh.
Result<bool> PlanPerformer::record_end(const plan::State& state, const plan::RecordEnd& effect) {
  const plan::Run* run = state.run_of(effect.run);
  if (!is_at_work(effect.run)) {
    plan::ReportRunEnded lost{effect.run, 0, true};
    lost.conversation = conversation_of_lost(loop_, *run);
    return report(lost);
  }
  TRY(hear({}));
  const bool afresh =
      run_->process->has_no_conversation() && effect.run == state.run && !run->spoke;
  plan::ReportRunEnded ended = run_->end_report(effect.exit);
  if (run->role == plan::Role::explainer) {
    const FileFact written = TRY(explained(state));
    ended.explained = !trim(written.text).empty() && written.hash != explained_before_;
  }
  run_.reset();
  return afresh ? start(state, effect.run, true) : report(ended);
}

Status PlanPerformer::watch_time(const plan::State& state) {
  const Moment now = loop_.os().clock.moment();
  const auto deadline = plan::budget_deadline_ms(state, now);
  if (!deadline) return {};
  if (*deadline <= now.mono_ms) {
    TRY(loop_.report(plan::CheckBudget{}, state.turn));
    loop_.os().files.ring(loop_.paths().bells);
    return {};
  }
  const MonoTime due = loop_.os().clock.mono() + std::chrono::milliseconds(*deadline - now.mono_ms);
  wake_at_ = wake_at_ ? std::min(*wake_at_, due) : due;
  return {};
}

std::vector<int> PlanPerformer::descriptors() const {
  return run_ ? run_->process->descriptors() : std::vector<int>{};
}

Status PlanPerformer::hear(const std::vector<int>& readable) {
  if (!run_) return {};
  for (const StreamItem& item : TRY(run_->process->read())) TRY(take(item));
  if (run_->process->is_called(readable)) TRY(run_->process->serve());
  return {};
}

// Words go to whoever watches, tools to the log, and a file that one of them may have written is
// looked at.
Status PlanPerformer::take(const StreamItem& item) {
  using Kind = StreamItem::Kind;
  if (item.ours) return {};
  if (item.kind == Kind::said || item.kind == Kind::failed)
    say_({"said", iso8601(loop_.os().clock.wall()), plan::prefix(run_->role, item.tool),
          printable_lines(item.text)});
  if (item.kind != Kind::tool && item.kind != Kind::blocked) return {};
  const bool blocked = item.kind == Kind::blocked;
  if (blocked || ++tools_ < kToolsLogged)
    TRY(report(plan::ReportTool{run_->started.run, item.tool, item.text, blocked}));
  else if (tools_ == kToolsLogged)
    TRY(report(
        plan::ReportTool{run_->started.run, "…", "what follows is in the transcript alone"}));
  TRY(report(plan::CheckDocuments{}));
  return {};
}

Status PlanPerformer::leave() {
  if (!run_) return {};
  if (!run_->process->ended()) run_->process->stop();
  TRY(hear({}));
  TRY(loop_.report(run_->started));
  TRY(loop_.report(plan::CheckDocuments{}));  // what it wrote last
  TRY(loop_.report(run_->end_report(std::nullopt)));
  run_.reset();
  return {};
}

}  // namespace pf
