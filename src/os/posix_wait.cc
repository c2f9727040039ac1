#include "os/posix_wait.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "os/posix_clock.h"

namespace pf {

timespec to_timespec(Duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {seconds.count(), (time - seconds).count()};
}

bool wait_readable(int fd, Duration wait) { return wait_any_readable({fd}, wait); }

bool wait_any_readable(std::initializer_list<int> fds, Duration wait) {
  PosixClock clock;
  const MonoTime deadline = clock.mono() + std::min(wait, kForever);
  std::vector<pollfd> waiting;
  for (const int fd : fds) waiting.push_back({fd, POLLIN, 0});
  for (;;) {
    const timespec timeout = to_timespec(std::max(deadline - clock.mono(), Duration::zero()));
    const int ready = ::ppoll(waiting.data(), waiting.size(), &timeout, nullptr);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace pf
