// The door under a seeded scheduler: sim [bubble|plan|role] [--seeds A..B | --seed N [--verbose]]
// With --missed: what breaks when the roles' performer leaves out an effect.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "missed.h"
#include "plan_sim.h"
#include "role_sim.h"
#include "run.h"

namespace pf::sim {
namespace {

struct Loop {
  std::string_view name;
  std::uint64_t seeds;  // without --seeds
};
constexpr Loop kBubble{"bubble", 2000};
constexpr Loop kPlan{"plan", 400};
constexpr Loop kRole{"role", 300};

struct Options {
  std::uint64_t first = 1;
  std::uint64_t last = 0;  // 0: as many as the loop has
  bool bubble = true, plan = true, role = true;
  bool verbose = false;
  bool missed = false;
  bool whole = true;  // all loops in their default ranges, whose tally must be full
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    char* end = nullptr;
    if (arg == "--verbose") {
      options.verbose = true;
    } else if (arg == "--missed") {
      options.missed = true;
    } else if (arg == kBubble.name || arg == kPlan.name || arg == kRole.name) {
      options.whole = false;
      options.bubble = arg == kBubble.name, options.plan = arg == kPlan.name;
      options.role = arg == kRole.name;
    } else if ((arg == "--seed" || arg == "--seeds") && i + 1 < argc) {
      options.whole = false;
      options.first = options.last = std::strtoull(argv[++i], &end, 10);
      if (arg == "--seeds" && std::strncmp(end, "..", 2) == 0)
        options.last = std::strtoull(end + 2, &end, 10);
      if (*end != '\0' || options.last < options.first) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

std::string replay(const Loop& loop, std::uint64_t seed) {
  return fmt::format("sim {} --seed {} --verbose", loop.name, seed);
}

// For a PF_CHECK that ends the process; written before each seed.
char last_words[128];
void on_abort(int) {
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
  ::_exit(1);
}

// What broke; "" when nothing did.
template <class Sim>
std::string run_seed(const Loop& loop, std::uint64_t seed, bool verbose, Stacks& stacks,
                     Tally& tally) {
  std::snprintf(last_words, sizeof last_words, "seed %llu: aborted\nreplay: %s\n",
                static_cast<unsigned long long>(seed), replay(loop, seed).c_str());
  Trace trace;
  if (verbose) trace = [](const std::string& text) { fmt::print("{}\n", text); };
  ++tally.seeds;
  try {
    Sim(seed, stacks, tally, std::move(trace)).go();
  } catch (const Broken& broken) {
    return broken.what;
  }
  return "";
}

// How many seeds broke something.
template <class Sim>
int run_loop(const Loop& loop, const Options& options, Stacks& stacks, Tally& tally) {
  constexpr int kEnough = 10;
  const std::uint64_t last = options.last == 0 ? loop.seeds : options.last;
  int broken = 0;
  for (std::uint64_t seed = options.first; seed <= last && broken < kEnough; ++seed) {
    const std::string what = run_seed<Sim>(loop, seed, options.verbose, stacks, tally);
    if (what.empty()) continue;
    fmt::print("{} seed {}: {}\nreplay: {}\n", loop.name, seed, what, replay(loop, seed));
    ++broken;
  }
  return broken;
}

int run(const Options& options) {
  Stacks stacks;
  Tally tally{};
  if (options.missed) return run_missed(stacks, tally) == 0 ? 0 : 1;
  int broken = 0;
  if (options.bubble) broken += run_loop<Run>(kBubble, options, stacks, tally);
  if (options.plan) broken += run_loop<PlanSim>(kPlan, options, stacks, tally);
  if (options.role) broken += run_loop<RoleSim>(kRole, options, stacks, tally);
  fmt::print("{} seeds\n{}", tally.seeds, summary(tally));
  if (broken > 0) return 1;
  const std::string missing = options.whole ? shortfall(tally) : "";
  if (!missing.empty()) fmt::print("too little was tried:\n{}", missing);
  return missing.empty() ? 0 : 1;
}

}  // namespace
}  // namespace pf::sim

int main(int argc, char** argv) {
  const auto options = pf::sim::parse(argc, argv);
  if (!options) {
    fmt::print(stderr,
               "usage: sim [bubble|plan|role] [--seeds A..B | --seed N] [--verbose] | --missed\n");
    return 2;
  }
  std::signal(SIGABRT, pf::sim::on_abort);
  return pf::sim::run(*options);
}
