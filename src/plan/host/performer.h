#pragma once
#include "loop/headless_work.h"
#include "plan/host/launch.h"

namespace pf {

// Does what is outstanding for one plan, under its lease; results come back through the door. Every
// effect looks at the world first, so doing one again is harmless.
class PlanPerformer : public HeadlessWork<PlanLoop, plan::ReportRunStarted> {
 public:
  // `lease` is the right to perform; held by the caller for as long as this lives.
  PlanPerformer(PlanLoop& loop, const Lock& lease, RunStarter starter)
      : HeadlessWork(loop), starter_(std::move(starter)) {
    (void)lease;
  }

  Result<Standing> advance() override;
  // Ends the run's process; the plan's next driver continues its conversation.
  Status leave(const Error* failure) override;

 private:
  Result<plan::Observed> observe(const plan::State& state);
  // True when the log or the world may have changed; false when it has to wait.
  Result<bool> perform(const plan::State& state, const plan::Effect& effect);
  Result<bool> start(const plan::State& state, int run, bool afresh);
  Result<bool> record_end(const plan::State& state, const plan::RecordEnd& effect);
  plan::ReportRunEnded end_report(std::optional<int> exit) const;
  Result<FileFact> explained(const plan::State& state);
  Status watch_time(const plan::State& state);
  Status take(const StreamItem& item) override;
  Result<bool> report(const plan::Command& command) override;

  RunStarter starter_;
  plan::Role role_ = plan::Role::coder;  // of the last run,
  int tools_ = 0;                        // of its own that it called,
  Hash explained_before_;                // explained.md when it was started
};

}  // namespace pf
