#include "agents/program.h"

#include <doctest/doctest.h>

#include "agents/testing.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

TEST_CASE("an agent's program is found on PATH or by its absolute path, or said to be missing") {
  PosixOs posix;
  Os os = posix.os();
  const TempDirectory directory;
  const std::string notes = (directory.path() / "notes").string();
  const std::string agent = (directory.path() / "agent").string();
  for (const std::string& path : {notes, agent})
    REQUIRE(os.files.replace(path, "#!/bin/sh\n", Durable::no));
  REQUIRE(os.files.set_executable(agent));
  const auto check = [&](const std::string& program, std::string_view kind = "custom") {
    return check_program(os, {AgentName("codex"), &kind_named(kind), {program, "--flag"}, ""});
  };
  CHECK(check("cat"));
  CHECK(check(agent));
  CHECK(check("./tools/agent.sh"));  // in a worktree that is not there yet
  CHECK(check("pf-no-such-agent", "scripted"));
  for (const std::string& missing :
       {std::string("pf-no-such-agent"), agent + "s", notes, directory.path().string()}) {
    CAPTURE(missing);
    const auto checked = check(missing);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().exit == Exit::machine);
    CHECK(checked.error().fix == "install it, or set command in [agents.codex]");
  }
  CHECK(check("pf-no-such-agent").error().what ==
        "agent codex cannot be started: there is no program 'pf-no-such-agent'");

  AgentSettings for_plans{AgentName("mine"), &kind_named("custom")};
  for_plans.headless = {"pf-no-such-agent"};
  CHECK(check_program(os, for_plans).error().what == "[agents.mine] has no command");
  CHECK(check_program(os, for_plans, true).error().fix ==
        "install it, or set headless in [agents.mine]");
  for_plans.headless = {"cat"};
  CHECK(check_program(os, for_plans, true));
}

}  // namespace
}  // namespace pf
