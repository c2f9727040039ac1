#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dice.h"
#include "faults.h"
#include "oracle.h"

namespace pf::sim {

// One seed: several processes at one bubble under a scheduler that chooses, at every call of the
// files seam, who goes on, and who or what breaks.
class Run {
 public:
  Run(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace);

  // Throws Broken.
  void go();

 private:
  struct Remembered {
    Deed deed;
    bool unknown = false;  // it ended without an answer
  };
  using ProcessPtr = std::unique_ptr<Process>;

  void prepare();
  void crowd_step();
  void finish();

  void spawn(Deed deed);
  Deed next_deed();
  std::optional<Deed> retry();
  // Runs it to its end in fair weather.
  Process::Ending alone(Deed deed);
  void all_to_end();

  std::size_t choose_process();
  void drive(std::size_t index);
  void bury(std::size_t index);
  void check_deadlock();

  void disturb_machine();
  void power_cut();
  void erase_projections();

  void race();
  void damage();
  std::string damaged_bytes(bool keep_snapshot);
  bool snapshot_is_current();
  void write_journal(const std::string& bytes);
  void say(const std::string& text) const;

  Dice dice_;
  Stacks& stacks_;
  Tally& tally_;
  Trace trace_;
  World world_;
  Faults faults_;
  Oracle oracle_;
  std::vector<ProcessPtr> alive_;
  std::vector<Remembered> memory_;
  std::size_t current_ = 0;
  int deeds_left_ = 0;
  int last_number_ = 0;
  int last_pid_ = 1000;
  int steps_ = 0;
  bool just_answered_ = false;
};

}  // namespace pf::sim
