#include "os/posix/wait.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "os/posix/os.h"

namespace pf {

timespec to_timespec(Duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {seconds.count(), (time - seconds).count()};
}

bool wait_readable(int fd, Duration wait) { return !readable_of({&fd, 1}, wait).empty(); }

std::vector<int> readable_of(std::span<const int> fds, Duration wait) {
  PosixClock clock;
  const MonoTime deadline = clock.mono() + std::min(wait, kForever);
  std::vector<pollfd> waiting;
  for (const int fd : fds) waiting.push_back({fd, POLLIN, 0});
  for (;;) {
    const timespec timeout = to_timespec(std::max(deadline - clock.mono(), Duration::zero()));
    const int ready = ::ppoll(waiting.data(), waiting.size(), &timeout, nullptr);
    if (ready == 0 || (ready < 0 && errno != EINTR)) return {};
    if (ready < 0) continue;
    std::vector<int> readable;
    for (const pollfd& one : waiting)
      if (one.revents != 0) readable.push_back(one.fd);
    return readable;
  }
}

}  // namespace pf
