#pragma once
// Seeds for tests whose cases are made by their own dice.
#include <rapidcheck.h>

#include <ranges>

namespace pf::testing {

// Inside a property: any seed, whatever rapidcheck's size; not shrunk.
inline unsigned any_seed() {
  return *rc::gen::noShrink(
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<unsigned>(0, 1U << 31)));
}

// What is true of many cases together (that some get far) is asked of the same cases every time:
// asked of any, it fails once in a while.
inline auto known_seeds() { return std::views::iota(1U, 61U); }

}  // namespace pf::testing
