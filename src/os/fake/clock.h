#pragma once
#include <fmt/format.h>

#include "os/clock.h"

namespace pf {

// Time as a test sets it; sleeping moves it on.
class FakeClock : public Clock {
 public:
  WallTime wall() override { return wall_; }
  MonoTime mono() override { return mono_; }
  std::string boot_id() override { return fmt::format("{:08x}", boot_); }
  Duration utc_offset() override { return offset_; }
  void sleep(Duration time) override { advance(time); }

  void advance(Duration time) {
    if (time <= Duration::zero()) return;
    mono_ = mono_ + time;
    rest_ += time;
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(rest_);
    wall_.ms += whole.count();
    rest_ -= whole;
  }
  // The machine sleeps: only the calendar moves on.
  void suspend(Duration time) {
    wall_.ms += std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  }
  void set_utc_offset(Duration offset) { offset_ = offset; }
  void set_wall(WallTime wall) { wall_ = wall; }
  // A new boot id; the monotonic clock starts again.
  void reboot() {
    ++boot_;
    mono_ = {};
  }

 private:
  WallTime wall_{1'771'675'200'000};  // 2026-02-21T12:00:00Z
  MonoTime mono_{std::chrono::hours(1)};
  Duration rest_{};  // less than a millisecond that the calendar does not show yet
  Duration offset_{};
  unsigned boot_ = 1;
};

}  // namespace pf
