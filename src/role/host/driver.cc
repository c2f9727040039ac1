#include "role/host/driver.h"

#include "loop/driver.h"
#include "loop/live_stream.h"
#include "role/host/crew.h"

namespace pf {
namespace {

class RoleWork : public DrivenWork {
 public:
  RoleWork(RoleLoop& loop, const Lock& lease)
      : loop_(loop),
        stream_(loop.os(), loop.paths().stream),
        crew_(loop, lease,
              [this](const std::string& prefix, const std::string& text) { say(prefix, text); }) {}

  Result<Standing> settle() override {
    for (;;) {
      const role::State state = TRY(crew_.settle());
      if (state.automation.empty() && !crew_.is_running()) return Standing{state.last_seq, true};
      if (!TRY(crew_.tend(state))) return Standing{state.last_seq, false};
    }
  }
  std::vector<int> descriptors() const override { return crew_.descriptors(); }
  std::optional<MonoTime> wake_at() const override { return crew_.wake_at(); }
  Status hear(const std::vector<int>& readable) override { return crew_.hear(readable); }
  Status leave(const Error* failure) override { return crew_.leave(failure); }

 private:
  void say(const std::string& prefix, const std::string& text) {
    Os& os = loop_.os();
    const auto state = loop_.load();
    if (!state) return;
    stream_.add({"said", iso8601(os.clock.wall()), prefix, text}, state->last_seq);
    os.files.ring(loop_.paths().bells);
  }

  RoleLoop& loop_;
  StreamWriter stream_;
  RoleCrew crew_;
};

}  // namespace

// Without the marker: what it delegates is begun in the name of the human who lets the roles run.
Detached roles_driver(const RolePaths& paths) {
  return {"driver",
          {"drive", "--repo", paths.repository.top.string(), "--roles"},
          paths.repository.top,
          paths.lease,
          paths.bells,
          paths.errors};
}

bool wants_driver(const role::State& state) { return !state.automation.empty() || state.run; }

Status drive_roles(RoleLoop& loop) {
  const auto begin = [&](const Lock& lease) -> Result<std::unique_ptr<DrivenWork>> {
    return std::make_unique<RoleWork>(loop, lease);
  };
  const auto last_seq = [&]() -> Result<Seq> { return TRY(loop.load()).last_seq; };
  return drive(loop.os(), {loop.paths(), begin, last_seq});
}

}  // namespace pf
