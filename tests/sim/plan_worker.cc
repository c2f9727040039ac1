#include "plan_worker.h"

#include <fmt/format.h>

#include "os/fake/files.h"

namespace pf::sim {
namespace {

class FakeRun : public LiveRun {
 public:
  FakeRun(WorkerPtr worker, plan::ReportRunStarted started)
      : worker_(std::move(worker)), started_(std::move(started)) {}
  FakeRun(const FakeRun&) = delete;
  FakeRun& operator=(const FakeRun&) = delete;
  ~FakeRun() override { worker_->alive = false; }

  plan::Role role() const override { return worker_->role; }
  std::vector<int> descriptors() const override { return {}; }
  Result<std::vector<StreamItem>> read() override { return std::exchange(worker_->unheard, {}); }
  bool is_called(const std::vector<int>&) const override { return false; }
  Status serve() override { return {}; }
  bool has_no_conversation() const override { return worker_->forgot; }
  bool is_finished() const override { return worker_->finished; }
  std::optional<int> ended() override { return worker_->exit; }
  void stop() override {
    worker_->alive = false;
    if (!worker_->exit) worker_->exit = worker_->finished ? 0 : 137;
  }
  const plan::ReportRunStarted& started() const override { return started_; }
  plan::ReportRunEnded end_report(std::optional<int> exit) const override {
    plan::ReportRunEnded report{started_.run, exit.value_or(0), !exit};
    report.conversation = fmt::format("talk-{}", started_.run);
    return report;
  }

 private:
  WorkerPtr worker_;
  plan::ReportRunStarted started_;
};

std::string why_not(const PlanWorld& world, const plan::State& state, const plan::Run& run,
                    bool afresh) {
  if (run.ending) return fmt::format("run {} is finished and was started again", run.number);
  if (run.started() && !afresh) return fmt::format("run {} was started twice", run.number);
  if (run.number != state.run) return fmt::format("run {} was started out of turn", run.number);
  const Worker* other = world.at_work();
  if (other != nullptr)
    return fmt::format("run {} was started beside run {}", run.number, other->run);
  return "";
}

void ring(PlanWorld& world) {
  FakeFiles files(world.disk, world.clock, 3);
  files.ring(world.paths.bells);
}

}  // namespace

RunStarter worker_starter(PlanWorld& world) {
  return [&world](PlanLoop& loop, const plan::State& state, const plan::Run& run,
                  bool afresh) -> Result<std::unique_ptr<LiveRun>> {
    Files& files = loop.os().files;
    TRY(files.make_directories(loop.paths().runs));
    TRY(files.open(loop.paths().run_file(run, "ndjson"), Open::create));
    if (world.broken.empty()) world.broken = why_not(world, state, run, afresh);
    auto worker = std::make_shared<Worker>(Worker{run.number, run.role, run.agent});
    world.workers.push_back(worker);
    if (run.continues && !afresh && std::exchange(world.forgets, false)) {
      worker->forgot = true;
      worker->alive = false;
      worker->exit = 1;
    }
    plan::ReportRunStarted started{run.number, fmt::format("talk-{}", run.number),
                                   loop.paths().run_file(run, "ndjson").filename().string()};
    return std::make_unique<FakeRun>(std::move(worker), std::move(started));
  };
}

void end_worker(PlanWorld& world, Worker& worker, int exit) {
  worker.alive = false;
  worker.exit = exit;
  ring(world);
}

void note_tool(PlanWorld& world, Worker& worker) {
  worker.unheard.push_back({StreamItem::Kind::tool, "edit", "docs/sim/plan.md"});
  ring(world);
}

}  // namespace pf::sim
