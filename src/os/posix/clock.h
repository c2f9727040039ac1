#pragma once
#include "os/clock.h"

namespace pf {

class PosixClock : public Clock {
 public:
  WallTime wall() override;
  MonoTime mono() override;
  std::string boot_id() override;  // first 8 hex digits of the kernel's; "unknown" when hidden
  Duration utc_offset() override;
  void sleep(Duration time) override;
};

}  // namespace pf
