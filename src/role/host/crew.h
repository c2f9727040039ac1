#pragma once
#include "loop/headless_work.h"
#include "role/host/child.h"
#include "role/host/performer.h"

namespace pf {

// Performs for the role loop and launches its agents, one headless run after the other. The files
// are touched by nobody else while one is at work.
class RoleCrew : public RolePerformer, public HeadlessWork<RoleLoop, role::ReportRunStarted> {
 public:
  RoleCrew(RoleLoop& loop, const Lock& lease) : RolePerformer(loop, lease), HeadlessWork(loop) {}
  ~RoleCrew() override { end_checks(); }

  Result<Standing> advance() override;
  std::vector<int> descriptors() const override;
  std::optional<MonoTime> wake_at() const override {
    return child_ ? child_->wake_at() : HeadlessWork::wake_at();
  }
  Result<bool> hear(const std::vector<int>& readable) override;
  // Ends the run's process; after a failure the agents rest.
  Status leave(const Error* failure) override;

 private:
  Status see(const role::State& state, role::Observed& observed) override;
  bool is_tree_free() const override { return !run_ && child_ == nullptr; }
  // In a process of its own, so that the driver can be heard meanwhile.
  Result<bool> check(const role::RunChecks& wanted) override;
  Result<bool> perform_agents(const role::State& state, const role::Effect& effect) override;

  Result<bool> report(const role::Command& command) override {
    return RolePerformer::report(command);
  }
  // When nothing else is left to do: keeps the plan or bubble going that does the coder's part.
  // True when that has led to something.
  Result<bool> tend(const role::State& state);
  Result<bool> launch(const role::State& state, const role::LaunchAgent& wanted);
  Result<bool> record_end(const role::RecordEnd& effect);
  Status take(const StreamItem& item) override;
  void end_checks();

  std::unique_ptr<ChildKeeper> child_;
  std::unique_ptr<PipedChild> checks_;
};

}  // namespace pf
