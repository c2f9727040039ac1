#include "plan_worker.h"

#include <fmt/format.h>

#include "os/fake/files.h"

namespace pf::sim {
namespace {

class FakeRun : public AgentRun {
 public:
  explicit FakeRun(WorkerPtr worker) : worker_(std::move(worker)) {}
  ~FakeRun() override { worker_->alive = false; }

  std::vector<int> descriptors() const override { return {}; }
  Result<std::vector<StreamItem>> read() override { return std::exchange(worker_->unheard, {}); }
  bool is_called(const std::vector<int>&) const override { return false; }
  Status serve() override { return {}; }
  std::optional<int> ended() override { return worker_->exit; }
  void stop() override {
    worker_->alive = false;
    if (!worker_->exit) worker_->exit = worker_->finished ? 0 : 137;
  }
  Told told() const override {
    return {worker_->finished, worker_->forgot, fmt::format("talk-{}", worker_->run)};
  }
  int code(std::optional<int> exit) const override { return exit.value_or(0); }
  std::string last_words(int) const override { return ""; }

 private:
  WorkerPtr worker_;
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
                  bool afresh) -> Result<StartedRun> {
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
    return StartedRun{std::make_unique<FakeRun>(std::move(worker)),
                      loop.paths().run_file(run, "ndjson").filename().string(),
                      fmt::format("talk-{}", run.number)};
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
