#pragma once
#include "crowd.h"
#include "plan_oracle.h"

namespace pf::sim {

// One seed: who drives a plan, its agents' tool calls, its user and people who edit plan.md, under
// a scheduler that chooses, at every call of the files seam, who goes on, and who or what breaks.
class PlanSim {
 public:
  PlanSim(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace);

  // Throws Broken.
  void go();

 private:
  struct Remembered {
    PlanDeed deed;
    bool unknown = false;  // it ended without an answer
  };
  // A person saves in place: a part first, the whole of it later.
  struct Saving {
    std::string whole;
    std::size_t calls = 0;  // until then
  };
  using ProcessPtr = Crowd<PlanProcess>::Ptr;

  void prepare();
  void crowd_step();
  void finish();

  void spawn(PlanDeed deed);
  void new_deed();
  void work(Worker& worker);
  std::optional<PlanDeed> retry();
  bool is_driven() const;
  void drive(std::size_t index);
  void bury(std::size_t index);
  // Nobody has anything to do: time passes.
  void pass_time();

  void edit();
  void save(const std::string& text);
  void go_on_saving();
  bool is_being_replaced() const;
  bool is_being_written() const;

  void disturb_machine();
  void power_cut();
  void erase_projections();

  void play_scene();
  void go_on_as_driver(const std::function<bool()>& done);

  // In fair weather: everybody to an end but the one who drives, who finds nothing more to do.
  void come_to_rest();
  void mend();
  // The way to the end of the plan, one tool call or reply at a time.
  void take_the_way_on();
  void run_alone(PlanDeed deed);
  void say(const std::string& text) const;

  Dice dice_;
  Stacks& stacks_;
  Tally& tally_;
  Trace trace_;
  PlanWorld world_;
  Faults faults_;
  PlanOracle oracle_;
  std::vector<Remembered> memory_;
  std::string sound_;  // a plan.md that can be read
  std::optional<Saving> saving_;
  std::size_t pace_ = 1;  // one new deed in so many calls
  Crowd<PlanProcess> crowd_;
  int scenes_left_ = 3;
  int written_ago_ = 1000;  // calls since somebody was writing plan.md
  int deeds_left_ = 0;
  int last_number_ = 0;
  int last_pid_ = 1000;
  int steps_ = 0;
};

}  // namespace pf::sim
