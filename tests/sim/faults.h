#pragma once
#include <functional>

#include "actor.h"
#include "tally.h"
#include "weather.h"

namespace pf::sim {

using Trace = std::function<void(const std::string&)>;

// What the weather of a run does to its processes and to their disk.
class Faults {
 public:
  Faults(Dice& dice, Tally& tally, FakeDisk& disk, FakeClock& clock, Path journal,
         const Trace& trace);

  Weather weather;
  // The good moments to be killed: the journal's own write, and a call here; so many times as
  // often.
  Path tender = {};
  std::size_t more_often = 8;

  // True when the process was moved on by a fault.
  bool disturb(Actor& actor);
  // After each call.
  void moved();
  // From now on nothing happens; the weather before.
  Weather calm();
  // The disk forgets what was not synced; whoever was there has to die.
  void lose_power();
  // Of somebody who waits, less often otherwise.
  bool jumps_clock(bool waiting);

  bool calls_failed = false;    // some call was made to fail
  bool was_torn_write = false;  // the last kill hit the journal's write

 private:
  void kill(Actor& actor);
  void fail_call(Actor& actor);
  void say(const std::string& text) const;

  Dice& dice_;
  Tally& tally_;
  FakeDisk& disk_;
  FakeClock& clock_;
  Path journal_;
  const Trace& trace_;
  int error_burst_ = 0;
  std::size_t full_for_ = 0;  // calls until the disk has room again
};

}  // namespace pf::sim
