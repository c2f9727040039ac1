#include "plan/host/loop.h"

#include <doctest/doctest.h>

#include "base/hash.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"

namespace pf {
namespace {

constexpr std::string_view kText = "---\nactive_step: 1\n---\n## Step 1: a\n\n## Step 2: b\n";

struct Machine {
  FakeDisk disk;
  FakeClock clock;
};

// One process with a plan of its own making.
struct At {
  FakeFiles files;
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os;
  PlanLoop loop{os, {{"/repo", "/repo/.git"}, plan::FeatureId("login")}};

  At(Machine& machine, int pid)
      : files(machine.disk, machine.clock, pid),
        random(static_cast<std::uint64_t>(pid)),
        os{files, processes, machine.clock, random, env} {
    env.process = pid;
  }
  Path plan() const { return "/repo/docs/login/plan.md"; }
  void open() {
    REQUIRE(files.make_directories(plan().parent_path()));
    REQUIRE(files.make_directories(loop.paths().directory));
    REQUIRE(files.replace(plan(), kText, Durable::yes));
    plan::Policy policy;
    policy.coder = AgentName("claude");
    policy.reviewer = AgentName("codex");
    REQUIRE(loop.execute({RequestId("open"), {}, Seq::none}, plan::Open{policy}));
  }
  void die_before(std::string_view call, const Path& path) {
    files.before = [call, path](std::string_view now, const Path& at) -> Status {
      if (now == call && at == path) throw Killed{};
      return {};
    };
  }
};

plan::RegisterWrite step_two() {
  const std::string after = document::rewrite_plan(kText, {"2", {}}).value();
  return {{hash_of(kText), hash_of(after)}, "2", "1", {}};
}

TEST_CASE("a write of plan.md that was cut off before it was durable can be kept") {
  for (const bool kept : {false, true}) {
    Machine machine;
    At(machine, 1).open();
    At writer(machine, 2);
    writer.die_before("sync_directory", writer.plan().parent_path());
    CHECK_THROWS_AS((void)writer.loop.write_plan(plan::Workspace::repo, step_two(), {}), Killed);
    if (kept) CHECK(At(machine, 3).loop.keep_plan(plan::Workspace::repo));
    machine.disk.crash();
    At reader(machine, 4);
    const auto fact = reader.loop.document(plan::Workspace::repo, "plan.md");
    CHECK(fact->hash == (kept ? step_two().after : step_two().before));
  }
}

TEST_CASE("a command that finds plan.md as it was to be written keeps it so") {
  Machine machine;
  At(machine, 1).open();
  At agents(machine, 2);
  const auto call = [&](const char* id, const char* agent, const plan::Command& command) {
    const Principal who{PrincipalKind::agent, AgentName(agent)};
    REQUIRE(agents.loop.execute({RequestId(id), who, Seq::none}, command));
  };
  call("a", "claude", plan::RequestReview{1});
  REQUIRE(agents.loop.report(plan::ReportRunEnded{1}));
  call("b", "codex", plan::Approve{2});
  const plan::State state = agents.loop.load().value();
  REQUIRE(state.write);
  At writer(machine, 3);
  writer.die_before("sync_directory", writer.plan().parent_path());
  CHECK_THROWS_AS((void)writer.loop.write_plan(plan::Workspace::repo, *state.write, {}), Killed);
  At user(machine, 4);
  REQUIRE(user.loop.execute({RequestId("c"), {}, Seq::none}, plan::Force{plan::Role::reviewer}));
  machine.disk.crash();
  At reader(machine, 5);
  CHECK(reader.loop.document(plan::Workspace::repo, "plan.md")->hash == state.write->after);
}

TEST_CASE("what was read before our own write is no edit") {
  Machine machine;
  At(machine, 1).open();
  At agents(machine, 2);
  const auto call = [](At& at, const char* id, const char* agent, const plan::Command& command) {
    const Principal who{PrincipalKind::agent, AgentName(agent)};
    return at.loop.execute({RequestId(id), who, Seq::none}, command);
  };
  REQUIRE(call(agents, "a", "claude", plan::RequestReview{1}));
  REQUIRE(agents.loop.report(plan::ReportRunEnded{1}));
  REQUIRE(call(agents, "b", "codex", plan::Approve{2}));
  const plan::RegisterWrite write = *agents.loop.load()->write;
  At driver(machine, 3);
  At user(machine, 4);
  bool written = false;
  user.files.before = [&](std::string_view, const Path& path) -> Status {
    if (path != user.loop.paths().door || std::exchange(written, true)) return {};
    REQUIRE(driver.loop.write_plan(plan::Workspace::repo, write, {}));
    REQUIRE(driver.loop.report(plan::ReportWritten{write.after}));
    return {};
  };
  const auto forced =
      user.loop.execute({RequestId("c"), {}, Seq::none}, plan::Force{plan::Role::reviewer});
  CHECK(written);
  REQUIRE(forced);
  REQUIRE(forced->events.size() == 1);
  CHECK(std::holds_alternative<plan::Forced>(forced->events.front().body));
  CHECK(forced->state.step == "2");
}

TEST_CASE("an edit that comes while plan.md is written stays") {
  Machine machine;
  At(machine, 1).open();
  At writer(machine, 2);
  At person(machine, 3);
  writer.files.before = [&](std::string_view call, const Path& path) -> Status {
    const bool ours = path.native().ends_with(".tmp");
    return call == "sync" && ours ? person.files.replace(person.plan(), "edited", Durable::yes)
                                  : Status{};
  };
  CHECK(writer.loop.write_plan(plan::Workspace::repo, step_two(), {}));
  CHECK(person.files.read(person.plan()) == "edited");
}

TEST_CASE("a plan.md that is no file is told of, not fallen over") {
  Machine machine;
  At(machine, 1).open();
  At person(machine, 2);
  REQUIRE(person.files.remove(person.plan()));
  REQUIRE(person.files.make_directories(person.plan()));
  At driver(machine, 3);
  const auto fact = driver.loop.document(plan::Workspace::repo, "plan.md");
  REQUIRE(fact);
  CHECK(fact->exists);
  CHECK_FALSE(fact->trouble.empty());
  CHECK(driver.loop.report(plan::CheckDocuments{})->events.size() == 1);
  CHECK(driver.loop.report(plan::CheckDocuments{})->events.empty());
  CHECK(driver.loop.execute({RequestId("p"), {}, Seq::none}, plan::Pause{}));
}

TEST_CASE("what is loaded to act on survives a loss of power") {
  for (const bool durable : {false, true}) {
    Machine machine;
    At(machine, 1).open();
    At user(machine, 2);
    user.die_before("sync", user.loop.paths().journal);
    CHECK_THROWS_AS((void)user.loop.execute({RequestId("p"), {}, Seq::none}, plan::Pause{}),
                    Killed);
    At driver(machine, 3);
    const auto seen = durable ? driver.loop.load_durable() : driver.loop.load();
    CHECK(seen->phase == plan::Phase::awaiting_user_input);
    machine.disk.crash();
    At reader(machine, 4);
    CHECK((reader.loop.load()->phase == seen->phase) == durable);
  }
}

}  // namespace
}  // namespace pf
