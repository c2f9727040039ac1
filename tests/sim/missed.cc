#include "missed.h"

#include <fmt/format.h>

#include <boost/type_index.hpp>

#include "role_sim.h"

namespace pf::sim {
namespace {

constexpr std::uint64_t kSeeds = 60;

template <class E, class... Others>
constexpr bool is_any = (std::is_same_v<E, Others> || ...);
// Processes of agents and of other loops are not simulated; a pull request that is cut off is too
// rare for so few seeds.
template <class E>
constexpr bool is_never_wanted =
    is_any<E, role::LaunchAgent, role::RecordStart, role::StopRun, role::RecordEnd, role::Delegate,
           role::MakeChild, role::EndAutomation, role::RecordPull>;

// "" when nothing breaks.
struct Missed {
  std::string what;
  std::uint64_t seed = 0;
  int wanted = 0;
};
Missed leave_out(std::size_t effect, Stacks& stacks, Tally& tally) {
  Missed missed;
  for (missed.seed = 1; missed.seed <= kSeeds; ++missed.seed) {
    RoleSim sim(missed.seed, stacks, tally, nullptr);
    sim.leave_out(effect);
    try {
      sim.go();
    } catch (const Broken& broken) {
      missed.what = broken.what;
    }
    missed.wanted += sim.times_left_out();
    if (!missed.what.empty()) break;
  }
  return missed;
}

template <class E>
bool is_missed(std::size_t effect, Stacks& stacks, Tally& tally) {
  const std::string name = boost::typeindex::type_id<E>().pretty_name();
  const Missed missed = leave_out(effect, stacks, tally);
  if (!missed.what.empty())
    fmt::print("{}: missed at seed {}: {}\n", name, missed.seed, missed.what);
  else
    fmt::print("{}: not missed in {} seeds, {} times wanted\n", name, kSeeds, missed.wanted);
  return missed.what.empty() == is_never_wanted<E> && (missed.wanted == 0) == is_never_wanted<E>;
}

template <class... Effects>
int run_each(const std::variant<Effects...>*, Stacks& stacks, Tally& tally) {
  std::size_t effect = 0;
  int wrong = 0;
  ((wrong += is_missed<Effects>(effect, stacks, tally) ? 0 : 1, ++effect), ...);
  return wrong;
}

}  // namespace

int run_missed(Stacks& stacks, Tally& tally) {
  return run_each(static_cast<const role::Effect*>(nullptr), stacks, tally);
}

}  // namespace pf::sim
