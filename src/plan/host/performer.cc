#include "plan/host/performer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "plan/domain/budget.h"
#include "plan/domain/describe.h"
#include "plan/domain/reading.h"
#include "plan/host/run_process.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLastWords = 15s;  // from the tool that ends a turn to the end of the process
constexpr Duration kAfterItsEnd = 500ms;  // from its own word that it is finished
constexpr int kRounds = 32;
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
  if (process_) {
    const auto exit = process_->ended();
    observed.runs.push_back({process_->run(), !exit, exit});
  }
  // Afterwards: what it wrote last was written while it was at work.
  observed.plan = TRY(loop_.document(state.policy.workspace, "plan.md")).hash;
  return observed;
}

Result<plan::State> PlanPerformer::settle() {
  for (int round = 0; round < kRounds; ++round) {
    const plan::State state = TRY(loop_.load_durable());
    wake_at_.reset();
    bool changed = false;
    for (const plan::Effect& effect : plan::outstanding(state, TRY(observe(state))))
      if ((changed = TRY(perform(state, effect)))) break;
    if (changed) continue;
    TRY(watch_time(state));
    return state;
  }
  return fail(Exit::machine, "the plan does not come to rest",
              "what is to be done changes each time it is looked at",
              fmt::format("look at: pairflow plan log {}", loop_.paths().feature.str()));
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
  auto process = starter_(loop_, state, *state.run_of(run), afresh);
  if (process) {
    process_ = std::move(*process);
    return true;
  }
  return report(plan::ReportError{
      fmt::format("run {} could not be started: {}", run, in_words(process.error())), run});
}

Result<FileFact> PlanPerformer::explained(const plan::State& state) {
  return loop_.document(state.policy.workspace, std::string(plan::kExplainedFile));
}

Result<bool> PlanPerformer::record_start(int run) {
  if (!process_ || process_->run() != run) return false;
  auto filed = report(process_->started());
  if (filed || filed.error().exit != Exit::refused) return filed;
  process_.reset();  // it is not wanted any more
  return true;
}

// One that has nothing to say any more is not waited for long.
Result<bool> PlanPerformer::stop(const plan::StopRun& effect) {
  if (!process_ || process_->run() != effect.run) return false;
  if (effect.handed_over) {
    const MonoTime now = loop_.os().clock.mono();
    const MonoTime latest = now + (process_->is_finished() ? kAfterItsEnd : kLastWords);
    process_->stop_at = process_->stop_at ? std::min(*process_->stop_at, latest) : latest;
    if (now < *process_->stop_at) {
      wake_at_ = process_->stop_at;
      return false;
    }
  }
  process_->stop();
  return true;
}

// One whose program does not know the conversation that it was to go on in begins afresh.
Result<bool> PlanPerformer::record_end(const plan::State& state, const plan::RecordEnd& effect) {
  const plan::Run* run = state.run_of(effect.run);
  if (!process_ || process_->run() != effect.run) {
    plan::ReportRunEnded lost{effect.run, 0, true};
    lost.conversation = conversation_of_lost(loop_, *run);
    return report(lost);
  }
  TRY(hear({}));
  const bool afresh = process_->has_no_conversation() && effect.run == state.run && !run->spoke;
  plan::ReportRunEnded ended = process_->end_report(effect.exit);
  if (run->role == plan::Role::explainer) {
    const FileFact written = TRY(explained(state));
    ended.explained = !trim(written.text).empty() && written.hash != explained_before_;
  }
  process_.reset();
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
  return process_ ? process_->descriptors() : std::vector<int>{};
}

Status PlanPerformer::hear(const std::vector<int>& readable) {
  if (!process_) return {};
  for (const StreamItem& item : TRY(process_->read())) TRY(take(item));
  if (process_->is_called(readable)) TRY(process_->serve());
  return {};
}

// Words go to whoever watches, tools to the log, and a file that one of them may have written is
// looked at.
Status PlanPerformer::take(const StreamItem& item) {
  using Kind = StreamItem::Kind;
  if (item.ours) return {};
  if (item.kind == Kind::said || item.kind == Kind::failed)
    say_({"said", iso8601(loop_.os().clock.wall()), plan::prefix(process_->role(), item.tool),
          printable_lines(item.text)});
  if (item.kind != Kind::tool && item.kind != Kind::blocked) return {};
  const bool blocked = item.kind == Kind::blocked;
  if (blocked || ++tools_ < kToolsLogged)
    TRY(report(plan::ReportTool{process_->run(), item.tool, item.text, blocked}));
  else if (tools_ == kToolsLogged)
    TRY(report(plan::ReportTool{process_->run(), "…", "what follows is in the transcript alone"}));
  TRY(report(plan::CheckDocuments{}));
  return {};
}

Status PlanPerformer::leave() {
  if (!process_) return {};
  if (!process_->ended()) process_->stop();
  TRY(hear({}));
  TRY(loop_.report(process_->started()));
  TRY(loop_.report(plan::CheckDocuments{}));  // what it wrote last
  TRY(loop_.report(process_->end_report(std::nullopt)));
  process_.reset();
  return {};
}

}  // namespace pf
