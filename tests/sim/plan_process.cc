#include "plan_process.h"

#include "plan/host/driver.h"
#include "plan_worker.h"

namespace pf::sim {
namespace {

class Nobody : public PlanWatcher {
 public:
  void show(const PlanView&) override {}
  void say(const StreamLine&) override {}
  void complain(const std::string&) override {}
  int input() const override { return -1; }
  std::vector<PlanWish> heard() override { return {}; }
  void resized() override {}
};

}  // namespace

PlanProcess::PlanProcess(PlanWorld& world, Stacks& stacks, int pid, PlanDeed deed)
    : Actor(world.disk, world.clock, stacks, pid, world.paths.door),
      world_(world),
      deed_(std::move(deed)),
      loop_(os_, world.paths) {}

PlanProcess::~PlanProcess() { end(); }

void PlanProcess::perform() {
  auto done = act();
  if (done)
    ending_ = std::move(*done);
  else
    ending_ = std::move(done).error();
}

Result<PlanProcess::Ending> PlanProcess::act() {
  Nobody nobody;
  switch (deed_.kind) {
    case PlanDeed::Kind::execute: return TRY(loop_.execute(deed_.request, deed_.command));
    case PlanDeed::Kind::read: return TRY(loop_.load_or_none());
    case PlanDeed::Kind::repair: TRY(repair()); break;
    case PlanDeed::Kind::drive: {
      const Lock lease = TRY(take_plan(loop_));
      TRY(drive_plan(loop_, lease, nobody, deed_.waits, worker_starter(world_)));
    }
  }
  return Done{};
}

Status PlanProcess::repair() {
  Lock door = TRY(Lock::take(os_, world_.paths.door, std::chrono::seconds(30)));
  Journal journal(os_, world_.paths.log, world_.paths.feature.str());
  TRY(journal.settle_doubt(door));
  TRY(loop_.load_or_none());
  const Reach reach = TRY(journal.scan({}, [](Line&&) { return Status{}; }));
  if (reach.torn) TRY(journal.repair_tail(door, *reach.torn));
  return {};
}

}  // namespace pf::sim
