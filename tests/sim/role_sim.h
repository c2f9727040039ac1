#pragma once
#include "crowd.h"
#include "role_deed.h"
#include "role_oracle.h"
#include "role_people.h"

namespace pf::sim {

// One seed: the commands of agents and of the human at the roles, each of which performs what comes
// of it, and people who edit state.json, work in the tree and push, under a scheduler that chooses,
// at every call of the files seam, who goes on, and who or what breaks.
class RoleSim {
 public:
  RoleSim(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace);

  // Throws Broken.
  void go();

  // Nobody performs effects of this kind; how often one was wanted.
  void leave_out(std::size_t effect) { world_.left_out = effect; }
  int times_left_out() const { return world_.times_left_out; }

 private:
  struct Remembered {
    RoleDeed deed;
    bool unknown = false;  // it ended without an answer
  };

  void crowd_step();
  void new_deed();
  std::optional<RoleDeed> retry();
  void spawn(RoleDeed deed);
  void drive(std::size_t index);
  void bury(std::size_t index);

  void people_act();
  void edit_register();
  void work_ahead();
  // Nobody's git or performer is in the middle of something.
  bool is_tree_quiet() const;

  void disturb_machine();
  void power_cut();
  void erase_projections();

  void finish();
  void mend_documents();
  // In fair weather: alone until it ends; whether it was refused.
  bool run_alone(RoleDeed deed);
  void come_to_rest();
  void take_the_way_on();
  bool mend_landings();
  void begin_afresh();
  void say(const std::string& text) const;

  Dice dice_;
  Stacks& stacks_;
  Tally& tally_;
  Trace trace_;
  RoleWorld world_;
  Faults faults_;
  RoleOracle oracle_;
  Crowd<RoleProcess> crowd_;
  std::vector<Remembered> memory_;
  std::map<int, int> words_;  // how often the human was asked for a word on a landing, at the end
  std::size_t pace_ = 1;      // one new deed in so many calls
  int deeds_left_ = 0;
  int last_number_ = 0;
  int last_pid_ = 1000;
  int steps_ = 0;
};

}  // namespace pf::sim
