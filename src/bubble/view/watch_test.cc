// Pane 0 with a simulated world: the supervisor is a second process that holds the lease.
#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "bubble/domain/testing.h"
#include "bubble/host/supervision.h"
#include "bubble/view/status_view.h"
#include "loop/kept_running.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "screen/testing.h"

namespace pf {
namespace {

using namespace std::chrono_literals;
constexpr std::string_view kDrawing = "\x1b[?2026h";  // begins one
constexpr int kSupervisor = 2;                        // the simulated process, whatever its pid

// Starting a supervisor runs a function of the test.
class Starting : public FakeProcesses {
 public:
  std::function<std::string()> start;
  Result<std::string> start_detached(const Command& command, const Path&) override {
    ran.push_back(command);
    return start();
  }
};

class World {
 public:
  World() {
    env.terminals = {Stream::out};
    env.columns = 60, env.rows = 12;
    env.variables["NO_COLOR"] = "1";
    must(loop.execute(human(), bubble::testing::create_with(bubble::testing::test_policy())));
    must(loop.execute(human(), bubble::Start{}));
    must(loop.report(bubble::ReportPrepared{}));
    files.blocked = [this] { happen(); };
    processes.start = [this] { return supervisor_starts(); };
  }

  static Request human() { return {RequestId(), {PrincipalKind::human}, Seq::none}; }
  template <class T>
  static void must(const Result<T>& result) {
    bubble::testing::must(result.has_value(), result ? "" : result.error().what);
  }

  // At `time` after the start of the watch.
  void at(Duration time, std::function<void()> what) { plans.emplace(start + time, what); }
  Status watch() {
    env.out.clear();
    return watch_status(loop);
  }

  std::string supervisor_starts() {
    starts.push_back(clock.mono() - start);
    if (stillborn) return "";
    their_env.process = ++pid;
    lease = Lock::try_take(their_os, paths.lease).value();
    if (!lease) return "held";
    processes.living.insert(pid);
    Runtime runtime;
    runtime.pid = pid;
    must(write_runtime(their_os, paths, runtime));
    return "ready";
  }
  void supervisor_dies() {
    lease.reset();
    processes.terminate(pid);
  }
  void stop_bubble() {
    must(loop.execute(human(), bubble::Stop{}));
    must(loop.report(bubble::ReportClosed{}));
  }
  // What the terminal shows after the last drawing.
  std::string shown() const {
    const auto rows = screen::testing::FakeTerminal(env.columns, env.rows).print(env.out).rows();
    return join(rows, "\n");
  }
  std::string last_drawing() const { return env.out.substr(env.out.rfind(kDrawing)); }
  int drawings() const {
    int count = 0;
    for (auto at = env.out.find(kDrawing); at != std::string::npos;
         at = env.out.find(kDrawing, at + 1))
      ++count;
    return count;
  }

  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1}, their_files{disk, clock, kSupervisor};
  Starting processes;
  FakeRandom random;
  FakeEnvironment env, their_env;
  Os os{files, processes, clock, random, env};
  Os their_os{their_files, processes, clock, random, their_env};
  BubblePaths paths{{"/repo", "/repo/.git"}, BubbleId("b_test")};
  BubbleLoop loop{os, paths};
  MonoTime start = clock.mono();
  std::multimap<MonoTime, std::function<void()>> plans;
  std::vector<Duration> starts;  // when a supervisor was started
  std::optional<Lock> lease;
  int pid = 100;
  bool stillborn = false;

 private:
  void happen() {
    while (!plans.empty() && plans.begin()->first <= clock.mono())
      plans.extract(plans.begin()).mapped()();
    bubble::testing::must(clock.mono() - start < 2h, "the watch does not end");
  }
};

}  // namespace

TEST_CASE("a supervisor that keeps dying is started ever more rarely") {
  Restarts restarts;
  MonoTime now{1h};
  std::vector<Duration> pauses;
  for (int i = 0; i < 9; ++i) {
    const MonoTime due = restarts.missing(now);
    CHECK(restarts.missing(now + 10ms) == due);  // asking again changes nothing
    pauses.push_back(due - now);
    now = due;
    restarts.started(now);
    now = now + 5ms;
  }
  CHECK(pauses == std::vector<Duration>{0s, 1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s});
  restarts.running();
  now = now + 59s;
  CHECK(restarts.missing(now) == now + 60s);
  restarts.started(now);
  now = now + 60s;
  CHECK(restarts.missing(now) == now);
}

TEST_CASE("draws, starts a supervisor, and ends with the bubble after a last look") {
  World world;
  world.at(10s, [&] { world.stop_bubble(); });
  REQUIRE(world.watch());
  CHECK(world.starts == std::vector<Duration>{0s});
  CHECK(world.env.out.starts_with("\x1b[?25l\x1b[?7l"));
  CHECK(world.env.out.contains("no supervisor; starting one"));
  CHECK(world.env.out.contains(" RUNNING   b_test"));
  CHECK(world.shown().contains(" CANCELLED   b_test"));
  CHECK(world.env.out.ends_with("\x1b[?7h\x1b[?25h\r\n"));
  CHECK(!world.env.has_screen);
  CHECK(world.clock.mono() - world.start < 11s);
}

TEST_CASE("sleeps until something happens or the text changes") {
  World world;
  world.supervisor_starts();
  int early = 0, later = 0;
  world.at(1s, [&] { early = world.drawings(); });
  world.at(29s, [&] {
    later = world.drawings();
    world.os.files.ring(world.paths.bells);  // for nothing
  });
  world.at(30s, [&] { CHECK(world.drawings() == later); });
  world.at(70s, [&] {
    CHECK(world.shown().contains("asks you in 4m"));
    world.env.ask_to_end();
  });
  REQUIRE(world.watch());
  CHECK(early == 1);
  CHECK(later == 1);
  CHECK(world.drawings() == 2);  // age and countdown change at the same time
  CHECK(world.starts.size() == 1);
}

TEST_CASE("asked to end while its supervisor dies, it starts none") {
  World world;
  world.supervisor_starts();
  world.at(5s, [&] {
    world.supervisor_dies();
    world.os.files.ring(world.paths.bells);
  });
  // The signal comes when the death was already seen.
  world.env.printed = [&] {
    if (!world.lease) world.env.ask_to_end();
  };
  REQUIRE(world.watch());
  CHECK(world.starts.size() == 1);
}

TEST_CASE("news of others are shown at once") {
  World world;
  world.supervisor_starts();
  world.at(5s, [&] {
    World::must(
        world.loop.execute({RequestId(), {PrincipalKind::agent, AgentName("codex")}, Seq::none},
                           bubble::AskHuman{"May I?"}));
  });
  world.at(5s + 2ms, [&] {
    CHECK(world.shown().contains(" WAITING_HUMAN "));
    CHECK(world.shown().contains("May I?"));
    world.env.ask_to_end();
  });
  REQUIRE(world.watch());
}

TEST_CASE("a resize draws again in the new size") {
  World world;
  world.supervisor_starts();
  int drawn = 0;
  world.at(5s, [&] { world.env.resize(20, 3); });
  world.at(5s + 2ms, [&] {
    CHECK(world.last_drawing().contains("\x1b[1;1H\x1b[2K RUNNING   round 1/3\x1b[2;1H"));
    CHECK(!world.last_drawing().contains("\x1b[4;1H"));
    world.env.resize(60, 12);
  });
  world.at(5s + 4ms, [&] {
    CHECK(world.shown().contains("Watchdog"));
    drawn = world.drawings();
    world.env.resize(60, 12);  // the terminal may have changed what it shows
  });
  world.at(5s + 6ms, [&] {
    CHECK(world.drawings() == drawn + 1);
    world.env.ask_to_end();
  });
  REQUIRE(world.watch());
}

TEST_CASE("a dead supervisor is noticed at once and started again") {
  World world;
  world.supervisor_starts();
  world.at(90s, [&] { world.supervisor_dies(); });
  world.at(90s + 5ms, [&] { CHECK(world.starts.size() == 2); });
  world.at(91s, [&] {
    CHECK(!world.shown().contains("supervisor"));
    world.env.ask_to_end();
  });
  REQUIRE(world.watch());
  CHECK(world.starts.size() == 2);
}

TEST_CASE("one that dies at every start is tried with growing pauses, and says so") {
  World world;
  world.stillborn = true;
  world.at(4500ms, [&] {
    CHECK(world.shown().contains("no supervisor; next start in 3s"));
    CHECK(world.shown().contains("the supervisor did not start"));
  });
  world.at(20s, [&] { world.stillborn = false; });
  world.at(60s, [&] {
    CHECK(!world.shown().contains("supervisor"));
    world.env.ask_to_end();
  });
  REQUIRE(world.watch());
  REQUIRE(world.starts.size() == 6);
  const std::vector<Duration> due = {0s, 1s, 3s, 7s, 15s, 31s};
  for (std::size_t i = 0; i < due.size(); ++i) {
    CHECK(world.starts[i] >= due[i]);
    CHECK(world.starts[i] < due[i] + 50ms);
  }
}

TEST_CASE("a command that holds the lease for a while is no supervisor to wait for for ever") {
  World world;
  std::optional<Lock> command = Lock::try_take(world.their_os, world.paths.lease).value();
  world.at(10s, [&] { command.reset(); });
  world.at(12s, [&] { world.env.ask_to_end(); });
  REQUIRE(world.watch());
  REQUIRE(world.starts.size() == 1);
  CHECK(world.starts[0] >= 10s);
  CHECK(world.starts[0] <= 11s + 10ms);
}

TEST_CASE("the runtime directory may go, the bubble may not") {
  World world;
  world.supervisor_starts();
  world.at(5s, [&] { World::must(world.files.remove_all(world.paths.runtime)); });
  world.at(70s, [&] {  // by now a bell hangs again
    CHECK(world.files.exists(world.paths.bells).value());
    World::must(world.loop.execute(World::human(), bubble::Stop{}));
  });
  world.at(70s + 2ms, [&] {
    CHECK(world.shown().contains(" CANCELLED "));
    World::must(world.files.remove_all(world.paths.control));
    world.env.resize(50, 12);
  });
  const auto watched = world.watch();
  REQUIRE(!watched);
  CHECK(watched.error().what == "the bubble 'b_test' is gone");
  CHECK(watched.error().why.contains("/repo/.pairflow/bubbles/b_test was removed"));
  CHECK(world.env.out.ends_with("\x1b[?25h\r\n"));
  CHECK(!world.files.exists(world.paths.control).value());
}

TEST_CASE("refuses without a terminal, and for a bubble that is not there") {
  World world;
  world.env.terminals.clear();
  auto watched = world.watch();
  REQUIRE(!watched);
  CHECK(watched.error().exit == Exit::usage);
  world.env.terminals = {Stream::out};
  BubbleLoop other(world.os, {world.paths.repository, BubbleId("b_tess")});
  watched = watch_status(other);
  REQUIRE(!watched);
  CHECK(watched.error().exit == Exit::refused);
  CHECK(watched.error().fix.contains("b_test"));
  CHECK(!world.files.exists(other.paths().bells).value());
  CHECK(world.env.out.empty());
}

}  // namespace pf
