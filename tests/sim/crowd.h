#pragma once
#include <memory>
#include <vector>

#include "faults.h"

namespace pf::sim {

// The processes of a simulated machine, moved on one call of the files seam at a time.
template <class Process>
class Crowd {
 public:
  using Ptr = std::unique_ptr<Process>;

  // A slow disk lets others see what is not durable yet.
  Crowd(Dice& dice, Faults& faults, Path journal)
      : dice_(dice), faults_(faults), journal_(std::move(journal)), slow_disk_(dice.one_in(3)) {}

  std::vector<Ptr> alive;

  // Whose call is next: mostly the one that went on last. Waiting costs time, so it is looked at
  // less often.
  std::size_t choose() {
    const bool stay = current_ < alive.size() && !waits(*alive[current_]);
    if (stay && !dice_.one_in(faults_.weather.switching)) return current_;
    current_ = dice_.below(alive.size());
    for (int tries = 0; tries < 4 && waits(*alive[current_]); ++tries)
      current_ = dice_.below(alive.size());
    return current_;
  }
  void move(Process& process) {
    if (!faults_.disturb(process)) process.go_on();
    faults_.moved();
  }
  Ptr take(std::size_t index) {
    Ptr process = std::move(alive[index]);
    alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(index));
    return process;
  }

 private:
  bool waits(const Process& process) const {
    return process.blocked() || (slow_disk_ && process.is_at("sync", journal_));
  }

  Dice& dice_;
  Faults& faults_;
  Path journal_;
  bool slow_disk_;
  std::size_t current_ = 0;
};

}  // namespace pf::sim
