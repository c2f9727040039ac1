#pragma once
#include "os/posix/spawn.h"

namespace pf {

inline constexpr Duration kTerminateGrace = std::chrono::seconds(2);  // from TERM to KILL

class PosixChild : public Child {
 public:
  explicit PosixChild(Spawned spawned) : spawned_(std::move(spawned)) {}
  int pid() const override { return spawned_.pid; }
  int pidfd() const override { return spawned_.pidfd.get(); }
  std::optional<int> ended() override;
  // Returns when the child has ended, its descendants in the group have been killed. Does nothing
  // once ended() has given the code, since the group's number may be another's by then.
  void kill_group() override;

 private:
  Spawned spawned_;
  std::optional<int> code_;
};

}  // namespace pf
