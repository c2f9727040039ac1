#include "plan/host/performer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "plan/domain/budget.h"
#include "plan/domain/reading.h"
#include "plan/domain/views.h"
#include "plan/host/driver.h"
#include "plan/host/landing.h"

namespace pf {
namespace {

constexpr int kToolsLogged = 500;  // of one run; those that were blocked all are

}  // namespace

Result<bool> PlanPerformer::report(const plan::Command& command) {
  const auto answer = TRY(loop_.report(command));
  for (const std::string& words : answer.all_warnings()) say("warning", "[pairflow]", words);
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

Result<DrivenWork::Standing> PlanPerformer::advance() {
  plan::State state;
  TRY(settle([&]() -> Result<bool> {
    state = TRY(loop_.load_durable());
    wake_at_.reset();
    for (const plan::Effect& effect : plan::outstanding(state, TRY(observe(state))))
      if (TRY(perform(state, effect))) return true;
    return false;
  }));
  TRY(watch_time(state));
  return Standing{state.last_seq, !wants_driver(state) && !run_};
}

Result<bool> PlanPerformer::perform(const plan::State& state, const plan::Effect& effect) {
  return std::visit(
      [&]<class E>(const E& e) -> Result<bool> {
        if constexpr (std::is_same_v<E, plan::WriteRegister>) {
          TRY(loop_.write_plan(state.policy.workspace, e.write, form_of(state)));
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
          return stop(e.run, e.handed_over);
        } else if constexpr (std::is_same_v<E, plan::LandCommits>) {
          return report(TRY(land_commits(loop_, e.landing)));
        } else if constexpr (std::is_same_v<E, plan::MergeHome>) {
          return report(TRY(merge_home(loop_, state, e.merge)));
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
    role_ = wanted.role;
    run_ = Run{std::move(filed), std::move(started->process)};
    return true;
  }
  return report(plan::ReportError{
      fmt::format("run {} could not be started: {}", run, in_words(started.error())), run});
}

Result<FileFact> PlanPerformer::explained(const plan::State& state) {
  return loop_.document(state.policy.workspace, std::string(plan::kExplainedFile));
}

plan::ReportRunEnded PlanPerformer::end_report(std::optional<int> exit) const {
  const AgentRun::Told told = run_->process->told();
  plan::ReportRunEnded report{run_->started.run, run_->process->code(exit), !exit};
  report.conversation = told.conversation;
  report.input_tokens = told.input_tokens;
  report.output_tokens = told.output_tokens;
  report.what = run_->process->last_words(report.exit);
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
      run_->process->told().no_conversation && effect.run == state.run && !run->spoke;
  plan::ReportRunEnded ended = end_report(effect.exit);
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

// Words go to the viewers, tools to the log, and a file that one of them may have written is
// looked at.
Status PlanPerformer::take(const StreamItem& item) {
  using Kind = StreamItem::Kind;
  if (item.ours && item.kind != Kind::failed) return {};  // the door tells of it
  if (item.kind == Kind::said || item.kind == Kind::failed)
    say("said", plan::prefix(role_, item.tool), printable_lines(item.text));
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

Status PlanPerformer::leave(const Error*) {
  if (!run_) return {};
  TRY(stop_now());
  TRY(loop_.report(run_->started));
  TRY(loop_.report(plan::CheckDocuments{}));  // what it wrote last
  TRY(loop_.report(end_report(std::nullopt)));
  run_.reset();
  return {};
}

}  // namespace pf
