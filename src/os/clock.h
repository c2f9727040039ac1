#pragma once
#include <string>

#include "base/time.h"

namespace pf {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime wall() = 0;
  virtual MonoTime mono() = 0;        // CLOCK_MONOTONIC: stands still while the machine sleeps
  virtual std::string boot_id() = 0;  // short, changes with every boot
  virtual Duration utc_offset() = 0;  // what people here add to UTC now
  virtual void sleep(Duration time) = 0;

  Moment moment() {
    using std::chrono::milliseconds;
    return {boot_id(), std::chrono::duration_cast<milliseconds>(mono().since_boot).count()};
  }
};

}  // namespace pf
