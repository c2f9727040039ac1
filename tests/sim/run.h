#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dice.h"
#include "oracle.h"

namespace pf::sim {

using Trace = std::function<void(const std::string&)>;

// One seed: several processes at one bubble under a scheduler that chooses, at every call of the
// files seam, who goes on, and who or what breaks.
class Run {
 public:
  Run(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace);

  // Throws Broken.
  void go();

 private:
  // How often what happens, once in so many calls; 0 is never.
  struct Weather {
    std::size_t switching = 2;  // to another process
    std::size_t crowd = 3;      // processes at once
    std::size_t kill = 0, error = 0, full = 0, power = 0, erase = 0, jump = 0, edit = 0;
  };
  struct Remembered {
    Deed deed;
    bool unknown = false;  // it ended without an answer
  };
  using ProcessPtr = std::unique_ptr<Process>;

  static Weather draw_weather(Dice& dice);
  void prepare();
  void crowd_step();
  void finish();

  void spawn(Deed deed);
  Deed next_deed();
  std::optional<Deed> retry();
  // Runs it to its end in fair weather.
  Process::Ending alone(Deed deed);
  void all_to_end();
  Weather fair_weather();  // from now on; the one before

  std::size_t choose_process();
  void drive(std::size_t index);
  void bury(std::size_t index);
  void check_deadlock();

  bool disturb(Process& process);
  void kill(Process& process);
  void fail_call(Process& process);
  void disturb_machine();
  void power_cut();
  void erase_projections();
  void jump_clock();

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
  Weather weather_;
  World world_;
  Oracle oracle_;
  std::vector<ProcessPtr> alive_;
  std::vector<Remembered> memory_;
  std::size_t current_ = 0;
  int deeds_left_ = 0;
  int last_number_ = 0;
  int last_pid_ = 1000;
  int steps_ = 0;
  int error_burst_ = 0;
  bool just_answered_ = false;
  std::size_t full_for_ = 0;  // calls until the disk has room again
};

}  // namespace pf::sim
