#pragma once
#include <string>

#include "dice.h"
#include "world.h"

namespace pf::sim {

// What one process is started for.
struct Deed {
  enum class Kind { execute, read, repair };
  Kind kind = Kind::execute;
  Request request = {};
  bubble::Command command = {};
  std::string what = {};  // for the trace
};

// A deed that somebody who saw `state` might do: mostly one that fits it, sometimes a wrong one.
// May edit the worktree. `number` makes the request id.
Deed choose_deed(Dice& dice, const bubble::State& state, World& world, int number);
// One that is sure to be accepted in `state` and to hand its turn on, so that of many only one can
// be; nothing where there is none.
std::optional<Deed> winning_deed(Dice& dice, const bubble::State& state, World& world, int number);
// Brings a new bubble to RUNNING, one step at a time.
std::optional<Deed> first_deed(const bubble::State& state, const World& world, int number);
// A whole approval package, by its name alone.
bubble::PackageBrought all_parts();

}  // namespace pf::sim
