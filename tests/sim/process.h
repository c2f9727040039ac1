#pragma once
#include <variant>

#include "actor.h"
#include "deed.h"

namespace pf::sim {

// A simulated process that does its deed through the bubble's door.
class Process : public Actor {
 public:
  Process(World& world, Stacks& stacks, int pid, Deed deed);
  ~Process() override;  // ends it

  const Deed& deed() const { return deed_; }
  bool at_journal(std::string_view call) const { return is_at(call, world_.files.journal); }

  // How it ended: killed when there is nothing.
  struct Repaired {};
  using Ending =
      std::variant<std::monostate, Error, BubbleEngine::Answer, BubbleEngine::Loaded, Repaired>;
  const Ending& ending() const { return ending_; }

  bool recorded_before = false;  // its request was in the journal when it started
  bool doubt_before = false;     // the journal was in doubt when it started

 private:
  void perform() override;
  Result<Ending> act();
  Status repair();
  Status gather(const std::vector<Need>& needs, const bubble::State& state, Facts& facts);
  Status project(const bubble::State& state);

  World& world_;
  Deed deed_;
  BubbleEngine engine_;
  Ending ending_;
};

}  // namespace pf::sim
