#include <cerrno>
#include <ctime>
#include <fstream>

#include "os/posix/os.h"
#include "os/posix/wait.h"

namespace pf {
namespace {

Duration now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

WallTime PosixClock::wall() {
  return {std::chrono::duration_cast<std::chrono::milliseconds>(now(CLOCK_REALTIME)).count()};
}

MonoTime PosixClock::mono() { return {now(CLOCK_MONOTONIC)}; }

std::string PosixClock::boot_id() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  if (!std::getline(in, id) || id.size() < 8) return "unknown";
  return id.substr(0, 8);
}

Duration PosixClock::utc_offset() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (::localtime_r(&now, &local) == nullptr) return {};
  return std::chrono::seconds(local.tm_gmtoff);
}

void PosixClock::sleep(Duration time) {
  if (time <= Duration::zero()) return;
  const Duration until = now(CLOCK_MONOTONIC) + time;
  const timespec at = to_timespec(until);
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) {
  }
}

}  // namespace pf
