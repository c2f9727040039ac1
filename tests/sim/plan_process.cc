#include "plan_process.h"

#include "plan/host/driver.h"
#include "plan_worker.h"

namespace pf::sim {
PlanProcess::PlanProcess(PlanWorld& world, Stacks& stacks, int pid, PlanDeed deed)
    : DoorProcess(world.disk, world.clock, stacks, pid, world.paths.loop_files(), std::move(deed)),
      world_(world),
      loop_(
          os_, world.paths,
          std::make_unique<FakeUserRepository>(files_, world.paths.repository.top, world.git, "")) {
}

PlanProcess::~PlanProcess() { end(); }

Result<PlanProcess::Ending> PlanProcess::act() {
  switch (deed().kind) {
    case Kind::execute: return TRY(loop_.execute(deed().request, deed().command));
    case Kind::read: return TRY(loop_.load_or_none());
    case Kind::repair: TRY(repair()); break;
    case Kind::drive: TRY(drive_plan(loop_, worker_starter(world_))); break;
  }
  return Done{};
}

}  // namespace pf::sim
