#pragma once
#include <string>
#include <vector>

#include "os/fake/files.h"
#include "plan_world.h"
#include "record.h"

namespace pf::sim {

// Watches plan.md: it is always what a person wrote, or that with our own values in it, written by
// an intent that is in the log; and a loss of power takes nothing back that the log has taken in.
class PlanRegister {
 public:
  PlanRegister(PlanWorld& world, const Record<plan::Domain>& record)
      : world_(world), record_(record) {}

  // A person has saved this.
  void person_wrote(const std::string& text);
  // What a call may have changed. Says whether it did.
  bool look();
  void power_cut();
  const std::string& text() const { return versions_.back().text; }

 private:
  struct Version {
    std::string text;
    Hash hash;
    bool ours = false;
  };
  std::string read() const;
  bool is_intended(const Hash& after, const Hash* before) const;

  PlanWorld& world_;
  const Record<plan::Domain>& record_;
  // That a loss of power may leave, oldest first; the last one is there now.
  std::vector<Version> versions_;
};

// `text` without the values that are ours: active_step and the words of a step_status map.
std::string persons_part(const std::string& text);

}  // namespace pf::sim
