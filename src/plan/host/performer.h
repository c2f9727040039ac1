#pragma once
#include "plan/host/launch.h"
#include "plan/host/watcher.h"

namespace pf {

// Does what is outstanding for one plan, under its lease; results come back through the door. Every
// effect looks at the world first, so doing one again is harmless.
class PlanPerformer {
 public:
  using Say = std::function<void(StreamLine)>;
  // `lease` is the right to perform; held by the caller for as long as this lives.
  PlanPerformer(PlanLoop& loop, const Lock& lease, RunStarter starter, Say say)
      : loop_(loop), starter_(std::move(starter)), say_(std::move(say)) {
    (void)lease;
  }

  // Performs until nothing is left that can be done now; the state then.
  Result<plan::State> settle();
  // To be waited for; then settle() again.
  std::vector<int> descriptors() const;
  std::optional<MonoTime> wake_at() const { return wake_at_; }
  // Hears the run's process and serves whoever called by its channel.
  Status hear(const std::vector<int>& readable);
  bool is_running() const { return run_.has_value(); }
  // Ends the run's process; its conversation is continued by whoever drives the plan next.
  Status leave();

 private:
  // The run whose process is there.
  struct Run {
    plan::Role role;
    plan::ReportRunStarted started;
    std::unique_ptr<AgentRun> process;
    plan::ReportRunEnded end_report(std::optional<int> exit) const;
  };
  bool is_at_work(int run) const { return run_ && run_->started.run == run; }
  Result<plan::Observed> observe(const plan::State& state);
  // True when the log or the world may have changed; false when it has to wait.
  Result<bool> perform(const plan::State& state, const plan::Effect& effect);
  Result<bool> start(const plan::State& state, int run, bool afresh);
  Result<bool> record_start(int run);
  Result<bool> stop(const plan::StopRun& effect);
  Result<bool> record_end(const plan::State& state, const plan::RecordEnd& effect);
  Result<FileFact> explained(const plan::State& state);
  Status watch_time(const plan::State& state);
  Status take(const StreamItem& item);
  Result<bool> report(const plan::Command& command);

  PlanLoop& loop_;
  RunStarter starter_;
  Say say_;
  std::optional<Run> run_;
  int tools_ = 0;          // of its own that the last run called
  Hash explained_before_;  // explained.md when the last run was started
  std::optional<MonoTime> wake_at_;
};

}  // namespace pf
