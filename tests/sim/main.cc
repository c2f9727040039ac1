// The door under a seeded scheduler: sim [--seeds A..B | --seed N [--verbose]]
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "run.h"

namespace pf::sim {
namespace {

constexpr std::uint64_t kDefaultSeeds = 3000;

struct Options {
  std::uint64_t first = 1;
  std::uint64_t last = kDefaultSeeds;
  bool verbose = false;
  bool whole = true;  // the default range, whose tally must be full
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    char* end = nullptr;
    if (arg == "--verbose") {
      options.verbose = true;
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

std::string replay(std::uint64_t seed) { return fmt::format("sim --seed {} --verbose", seed); }

// For a PF_CHECK that ends the process; written before each seed.
char last_words[128];
void on_abort(int) {
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
  ::_exit(1);
}

// What broke; "" when nothing did.
std::string run_seed(std::uint64_t seed, bool verbose, Stacks& stacks, Tally& tally) {
  std::snprintf(last_words, sizeof last_words, "seed %llu: aborted\nreplay: %s\n",
                static_cast<unsigned long long>(seed), replay(seed).c_str());
  Trace trace;
  if (verbose) trace = [](const std::string& text) { fmt::print("{}\n", text); };
  ++tally.seeds;
  try {
    Run(seed, stacks, tally, std::move(trace)).go();
  } catch (const Broken& broken) {
    return broken.what;
  }
  return "";
}

int run(const Options& options) {
  Stacks stacks;
  Tally tally{};
  int broken = 0;
  for (std::uint64_t seed = options.first; seed <= options.last; ++seed) {
    const std::string what = run_seed(seed, options.verbose, stacks, tally);
    if (what.empty()) continue;
    fmt::print("seed {}: {}\nreplay: {}\n", seed, what, replay(seed));
    constexpr int kEnough = 10;
    if (++broken == kEnough) break;
  }
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
    fmt::print(stderr, "usage: sim [--seeds A..B | --seed N] [--verbose]\n");
    return 2;
  }
  std::signal(SIGABRT, pf::sim::on_abort);
  return pf::sim::run(*options);
}
