#include "os/posix/child.h"

#include <csignal>

#include "os/posix/wait.h"

namespace pf {

std::optional<int> PosixChild::ended() {
  if (!code_) code_ = reap(spawned_.pid);
  return code_;
}

void PosixChild::kill_group() {
  if (code_) return;
  ::kill(-spawned_.pid, SIGTERM);
  wait_readable(spawned_.pidfd.get(), kTerminateGrace);
  ::kill(-spawned_.pid, SIGKILL);
  wait_readable(spawned_.pidfd.get(), kTerminateGrace);
}

}  // namespace pf
