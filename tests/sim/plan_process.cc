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
    : DoorProcess(world.disk, world.clock, stacks, pid, world.paths.loop_files(), std::move(deed)),
      world_(world),
      loop_(os_, world.paths) {}

PlanProcess::~PlanProcess() { end(); }

Result<PlanProcess::Ending> PlanProcess::act() {
  Nobody nobody;
  switch (deed().kind) {
    case Kind::execute: return TRY(loop_.execute(deed().request, deed().command));
    case Kind::read: return TRY(loop_.load_or_none());
    case Kind::repair: TRY(repair()); break;
    case Kind::drive: {
      const Lock lease = TRY(take_plan(loop_));
      TRY(drive_plan(loop_, lease, nobody, deed().waits, worker_starter(world_)));
    }
  }
  return Done{};
}

}  // namespace pf::sim
