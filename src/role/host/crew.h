#pragma once
#include <functional>
#include <memory>

#include "loop/agent_run.h"
#include "role/host/child.h"
#include "role/host/performer.h"

namespace pf {

// Performs for the role loop and launches its agents, one headless run after the other. The files
// are touched by nobody else while one is at work.
class RoleCrew : public RolePerformer {
 public:
  // What an agent says: "[coder]" or "[coder:bash]", and the text.
  using Say = std::function<void(const std::string& prefix, const std::string& text)>;
  RoleCrew(RoleLoop& loop, const Lock& lease, Say say)
      : RolePerformer(loop, lease), say_(std::move(say)) {}
  ~RoleCrew() override { end_checks(); }

  // To be waited for; then settle() again.
  std::vector<int> descriptors() const;
  std::optional<MonoTime> wake_at() const { return child_ ? child_->wake_at() : wake_at_; }
  // Hears the run's process and serves whoever called by its channel.
  Status hear(const std::vector<int>& readable);
  bool is_running() const { return run_.has_value(); }
  // When nothing else is left to do: keeps the plan or bubble going that does the coder's part.
  // True when that has led to something.
  Result<bool> tend(const role::State& state);
  // Ends the run's process; after a failure the agents rest.
  Status leave(const Error* failure);

 protected:
  Status see(const role::State& state, role::Observed& observed) override;
  bool is_tree_free() const override { return !run_ && child_ == nullptr; }
  // In a process of its own, so that whoever drives can be heard meanwhile.
  Result<bool> check(const role::RunChecks& wanted) override;
  Result<bool> perform_agents(const role::State& state, const role::Effect& effect) override;

 private:
  struct Run {
    role::ReportRunStarted started;
    std::unique_ptr<AgentRun> process;
  };
  Result<bool> launch(const role::State& state, const role::LaunchAgent& wanted);
  Result<bool> record_start(const role::RecordStart& effect);
  Result<bool> stop(const role::StopRun& effect);
  Result<bool> record_end(const role::RecordEnd& effect);
  void say(const StreamItem& item);
  void end_checks();

  Say say_;
  std::optional<Run> run_;
  std::unique_ptr<ChildKeeper> child_;
  std::unique_ptr<PipedChild> checks_;
  std::optional<MonoTime> wake_at_;
};

}  // namespace pf
