#include "plan/host/driver.h"

#include "loop/driver.h"
#include "loop/live_stream.h"
#include "plan/host/performer.h"
#include "plan/host/workspace.h"

namespace pf {
namespace {

class PlanWork : public DrivenWork {
 public:
  PlanWork(PlanLoop& loop, const Lock& lease, const RunStarter& starter)
      : loop_(loop),
        stream_(loop.os(), loop.paths().stream),
        performer_(loop, lease, starter, [this](const StreamLine& line) { say(line); }) {}

  Result<Standing> settle() override {
    const plan::State state = TRY(performer_.settle());
    return Standing{state.last_seq, !wants_driver(state) && !performer_.is_running()};
  }
  std::vector<int> descriptors() const override { return performer_.descriptors(); }
  std::optional<MonoTime> wake_at() const override { return performer_.wake_at(); }
  Status hear(const std::vector<int>& readable) override { return performer_.hear(readable); }
  Status leave(const Error*) override { return performer_.leave(); }

 private:
  void say(const StreamLine& line) {
    const auto state = loop_.load();
    if (!state) return;
    stream_.add(line, state->last_seq);
    loop_.os().files.ring(loop_.paths().bells);
  }

  PlanLoop& loop_;
  StreamWriter stream_;
  PlanPerformer performer_;
};

}  // namespace

Detached plan_driver(const PlanPaths& paths) {
  return {"driver",
          {"drive", "--repo", paths.repository.top.string(), "--plan", paths.feature.str()},
          paths.repository.top,
          paths.lease,
          paths.bells,
          paths.errors,
          "plan." + paths.feature.str()};
}

bool goes_on(const plan::State& state) {
  const plan::Run* run = state.current();
  const bool explains = run != nullptr && run->role == plan::Role::explainer && !run->ending;
  return plan::is_active(state.phase) || explains;
}

bool wants_driver(const plan::State& state) {
  const plan::Run* run = state.current();
  const bool at_work = state.live() != nullptr || (run != nullptr && !run->ending);
  const bool paused = state.halt && state.halt->kind == plan::HaltKind::paused;
  const bool over = state.phase == plan::Phase::done || state.phase == plan::Phase::error;
  return at_work || !(paused || over);
}

Status drive_plan(PlanLoop& loop, const RunStarter& starter) {
  const auto begin = [&](const Lock& lease) -> Result<std::unique_ptr<DrivenWork>> {
    TRY(prepare_plan_workspace(loop, TRY(loop.load()).policy.workspace));
    return std::make_unique<PlanWork>(loop, lease, starter);
  };
  const auto last_seq = [&]() -> Result<Seq> { return TRY(loop.load()).last_seq; };
  return drive(loop.os(), {loop.paths(), begin, last_seq});
}

}  // namespace pf
