#pragma once
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace pf::sim {

// All choices of a run come from one of these: the same seed gives the same run.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x7f4a7c15u) {}

  std::uint64_t roll() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : roll() % limit; }
  // True once in `n` times on average; never for 0.
  bool one_in(std::size_t n) { return n != 0 && below(n) == 0; }
  template <class Range>
  const auto& pick(const Range& range) {
    return *std::next(range.begin(), static_cast<std::ptrdiff_t>(below(range.size())));
  }
  std::size_t pick_of(std::initializer_list<std::size_t> values) { return pick(values); }

 private:
  std::uint64_t state_;
};

}  // namespace pf::sim
