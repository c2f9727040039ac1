#pragma once
#include "loop/agent_process.h"
#include "plan/host/live_run.h"

namespace pf {

// A child of ours: the agent's program.
class RunProcess : public LiveRun {
 public:
  // Writes the prompt and how the process begins, then starts it. `afresh`: not in the
  // conversation that the run was to continue.
  static Result<std::unique_ptr<LiveRun>> start(PlanLoop& loop, const plan::State& state,
                                                const plan::Run& run, bool afresh);

  plan::Role role() const override { return role_; }
  std::vector<int> descriptors() const override { return process_->descriptors(); }
  Result<std::vector<StreamItem>> read() override { return process_->read(); }
  Status serve() override { return process_->serve(); }
  bool is_called(const std::vector<int>& readable) const override {
    return process_->is_called(readable);
  }
  bool has_no_conversation() const override { return process_->has_no_conversation(); }
  std::optional<int> ended() override { return process_->ended(); }
  void stop() override { process_->stop(); }

  const plan::ReportRunStarted& started() const override { return started_; }
  plan::ReportRunEnded end_report(std::optional<int> exit) const override;
  bool is_finished() const override { return process_->is_finished(); }

 private:
  RunProcess(const plan::Run& run, std::unique_ptr<AgentProcess> process)
      : role_(run.role), process_(std::move(process)) {
    started_.run = run.number;
  }

  plan::Role role_;
  std::unique_ptr<AgentProcess> process_;
  plan::ReportRunStarted started_;
};

// Of a run whose driver was killed: the conversation that its transcript tells of.
std::string conversation_of_lost(PlanLoop& loop, const plan::Run& run);

}  // namespace pf
