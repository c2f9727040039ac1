#include "agents/program.h"

#include <doctest/doctest.h>

#include "os/fake_clock.h"
#include "os/fake_environment.h"
#include "os/fake_files.h"
#include "os/fake_processes.h"
#include "os/fake_random.h"

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

  Status check(const std::string& program, const std::string& kind = "custom") {
    return check_program(os, {AgentName("codex"), kind, {program, "--flag"}, ""});
  }
};

TEST_CASE("an agent's program is found on PATH, through links, or by its absolute path") {
  Machine machine;
  machine.env.variables["PATH"] = "/none::/bin";
  REQUIRE(machine.files.make_directories("/bin"));
  REQUIRE(machine.files.make_directories("/lib/codex"));
  REQUIRE(machine.files.replace("/lib/codex/cli.js", "x", Durable::yes));
  REQUIRE(machine.files.set_executable("/lib/codex/cli.js"));
  REQUIRE(machine.files.replace("/bin/notes", "x", Durable::yes));
  machine.disk.make_symlink("/lib/codex/cli.js", "/bin/codex");
  CHECK(machine.check("codex"));
  CHECK(machine.check("/bin/codex"));
  CHECK(machine.check("./tools/agent.sh"));
  CHECK(machine.check("claude", "scripted"));
  for (const auto* missing : {"claude", "/bin/claude", "notes", "/lib/codex"}) {
    CAPTURE(missing);
    const auto checked = machine.check(missing);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().exit == Exit::machine);
    CHECK(checked.error().fix == "install it, or set command in [agents.codex]");
  }
  CHECK(machine.check("claude").error().what ==
        "agent codex cannot be started: there is no program 'claude'");
}

}  // namespace
}  // namespace pf
