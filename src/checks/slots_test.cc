#include "checks/slots.h"

#include <doctest/doctest.h>

#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"

namespace pf {
namespace {

struct Machine {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
};

TEST_CASE("as many runs at once as there are slots") {
  Machine machine;
  std::optional<Lock> first = take_slot(machine.os, "/slots", 2, Duration::zero()).value();
  const auto second = take_slot(machine.os, "/slots", 2, Duration::zero());
  CHECK(second);
  CHECK_FALSE(take_slot(machine.os, "/slots", 2, Duration::zero()));
  first.reset();
  machine.env.process = 4;  // whose turn it would be to wait at the first
  CHECK(take_slot(machine.os, "/slots", 2, Duration::zero()));
}

TEST_CASE("slots are below the runtime directory, else in the cache") {
  Machine machine;
  machine.env.variables["HOME"] = "/home/dev";
  CHECK(slot_directory(machine.os) == "/home/dev/.cache/pairflow");
  machine.env.variables["XDG_RUNTIME_DIR"] = "/run/user/1";
  CHECK(slot_directory(machine.os) == "/run/user/1/pairflow");
}

}  // namespace
}  // namespace pf
