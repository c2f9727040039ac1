#include "role_process.h"

#include <fmt/format.h>

#include "role/host/performer.h"

namespace pf::sim {
namespace {

// All but the programs: checks and pull requests come to what the world says.
class Performer : public RolePerformer {
 public:
  Performer(RoleLoop& loop, const Lock& lease, RoleWorld& world)
      : RolePerformer(loop, lease), world_(world) {}

 private:
  Result<bool> perform(const role::State& state, const role::Effect& effect) override {
    if (world_.left_out != effect.index()) return RolePerformer::perform(state, effect);
    ++world_.times_left_out;
    return false;
  }
  Result<bool> check(const role::RunChecks& effect) override {
    if (world_.git.find(effect.commit.str()) == nullptr)
      world_.broken = fmt::format("landing {} is checked without its commit", effect.landing);
    TRY(loop().os().files.info(world_.paths.checks));
    return report(role::ReportChecks{effect.landing, effect.commit, !world_.red,
                                     world_.red ? "1 of 9 failed" : ""});
  }
  Result<bool> pull(const role::OpenPull& effect) override {
    TRY(loop().os().files.info(world_.paths.checks));
    if (world_.no_pull) return report(role::ReportPull{effect.landing, "", "no"});
    ++world_.pulls[effect.landing];
    return report(role::ReportPull{effect.landing, "https://example.org/1", ""});
  }

  RoleWorld& world_;
};

}  // namespace

RoleProcess::RoleProcess(RoleWorld& world, Stacks& stacks, int pid, RoleDeed deed)
    : DoorProcess(world.disk, world.clock, stacks, pid, world.paths.loop_files(), std::move(deed)),
      world_(world),
      loop_(os_, world.paths,
            std::make_unique<FakeUserRepository>(files_, world.paths.repository.top, world.git,
                                                 Path(role::kRegisterFile))) {}

RoleProcess::~RoleProcess() { end(); }

Result<bool> RoleProcess::settle() {
  return settle_roles(loop_, [this](const Lock& lease) {
    performing_ = true;
    auto state = Performer(loop_, lease, world_).settle();
    performing_ = false;
    return state;
  });
}

Result<RoleProcess::Ending> RoleProcess::act() {
  switch (deed().kind) {
    case Kind::read: return TRY(loop_.load_or_none());
    case Kind::repair: TRY(repair()); break;
    case Kind::drive:
      if (TRY(loop_.load_or_none()).begun) TRY(settle());
      break;
    case Kind::execute: {
      auto answer = TRY(loop_.execute(deed().request, deed().command));
      if (auto settled = settle(); !settled) not_performed_ = settled.error();
      return answer;
    }
  }
  return Done{};
}

}  // namespace pf::sim
