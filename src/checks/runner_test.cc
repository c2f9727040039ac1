#include "checks/runner.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

struct Ground {
  PosixOs posix;
  Os os = posix.os();
  TempDirectory directory;

  std::vector<CheckDone> run(const std::vector<CheckToRun>& checks, Duration timeout = 60s) {
    return run_checks(os, checks, directory.path(), {}, {}, {timeout, 200, 100}).value();
  }
};

TEST_CASE("all checks are run, in order and in the directory, and say how they ended") {
  Ground ground;
  const auto done = ground.run({{"one", "pwd; echo oops >&2; exit 3"}, {"two", "echo fine"}});
  REQUIRE(done.size() == 2);
  CHECK(done[0].code == 3);
  CHECK(done[0].output == ground.directory.path().string() + "\noops\n");
  CHECK(done[1].ok());
  const std::string log = log_text(done);
  CHECK(log.find("## one: pwd; echo oops >&2; exit 3\n## exit 3 after ") == 0);
  CHECK(log.find("## two: echo fine\n## exit 0 after ") != std::string::npos);
}

TEST_CASE("a check that hangs is killed with all it started, the next one hardly gets time") {
  Ground ground;
  const auto done =
      ground.run({{"hang", "sleep 1000 & echo $! > pid; trap '' TERM; sleep 1000"}}, 1s);
  REQUIRE(done.size() == 1);
  CHECK(done[0].timed_out);
  CHECK_FALSE(done[0].ok());
  const int pid = std::stoi(ground.os.files.read(ground.directory.path() / "pid").value());
  CHECK(ground.os.processes.wait_gone(pid, 20s));
}

TEST_CASE("a red check is tried again; red and then green is flaky") {
  Ground ground;
  const std::vector<CheckToRun> wanted = {
      {"flaky", "echo try; test -e been || { : >been; exit 3; }"},
      {"red", "echo run >>runs; exit 1"},
      {"fine", "true"}};
  RunLimits limits{60s, 200, 100};
  limits.retries = 1;
  const auto done = run_checks(ground.os, wanted, ground.directory.path(), {}, {}, limits).value();
  CHECK(done[0].ok());
  CHECK(done[0].flaky);
  CHECK(done[0].output == "try\n\n## exit 3; tried again\n\ntry\n");
  CHECK(log_text(done).contains("## exit 0 (flaky) after"));
  CHECK(done[1].code == 1);
  CHECK_FALSE(done[1].flaky);
  CHECK(done[1].unable().empty());
  CHECK(ground.os.files.read(ground.directory.path() / "runs").value() == "run\nrun\n");
  CHECK_FALSE(done[2].flaky);
}

TEST_CASE("what a red try left is gone for the next one, with all that came before it") {
  Ground ground;
  const std::vector<CheckToRun> wanted = {
      {"build", "echo built >binary"},
      {"cheat", "test -e binary && test -e been || { : >been; exit 3; }"},
      {"turns", "echo x >>../turns; test $(wc -l <../turns) -eq 1"},
      {"after", "echo x >>../after"}};
  RunLimits limits{60s, 200, 100};
  limits.retries = 2;
  const Path room = ground.directory.path() / "room";
  int restored = 0;
  limits.restore = [&]() -> Status {
    ++restored;
    TRY(ground.os.files.remove_all(room));
    return ground.os.files.make_directories(room);
  };
  REQUIRE(ground.os.files.make_directories(room));
  auto done = run_checks(ground.os, wanted, room, {}, {}, limits).value();
  CHECK(restored == 2);
  CHECK(done[0].ok());
  CHECK_FALSE(done[0].flaky);
  CHECK(done[1].code == 3);
  CHECK_FALSE(done[1].flaky);
  CHECK(done[3].ok());
  CHECK(ground.os.files.read(ground.directory.path() / "after").value() == "x\n");  // not again
  // Green at first and red when it was tried again beside another: red is what counts.
  REQUIRE(ground.os.files.remove(ground.directory.path() / "turns"));
  REQUIRE(limits.restore());
  done = run_checks(ground.os, {wanted[2], wanted[1]}, room, {}, {}, limits).value();
  CHECK(done[0].code == 1);
  CHECK(done[0].output.contains("## exit 0; tried again"));

  limits.restore = []() -> Status { return fail(Exit::machine, "no room"); };
  CHECK(run_checks(ground.os, wanted, room, {}, {}, limits).error().what == "no room");
}

TEST_CASE("what cannot run, or not to its end, says why and is not tried again") {
  Ground ground;
  RunLimits limits{60s, 200, 100};
  limits.retries = 3;
  const auto run = [&](const std::vector<CheckToRun>& checks) {
    return run_checks(ground.os, checks, ground.directory.path(), {}, {}, limits).value();
  };
  const auto done = run({{"missing", "echo x >>tries; no-such-program-here"},
                         {"plain", ": >file; ./file"},
                         {"killed", "kill -9 $$"},
                         {"crashed", "kill -11 $$"}});
  CHECK(done[0].unable() == "not found: exit 127");
  CHECK(ground.os.files.read(ground.directory.path() / "tries").value() == "x\n");
  CHECK(done[1].unable() == "cannot be executed: exit 126");
  CHECK(done[2].unable() == "killed, most likely for its memory");
  CHECK(done[3].unable().empty());  // the program's own doing: red
  const auto stopped = run({{"setup", "exit 4"}, {"test", "true"}});
  REQUIRE(stopped.size() == 1);
  CHECK(stopped[0].unable() == "failed: exit 4");
  limits.timeout = 1s;
  CHECK(run({{"slow", "sleep 100"}})[0].unable() == "out of time");
}

TEST_CASE("a running check ends, with all it started, when its runner is told to end") {
  Ground ground;
  const Path path = ground.directory.path() / "pid";
  const pid_t runner = ::fork();
  if (runner == 0) {
    std::signal(SIGTERM, SIG_DFL);  // doctest has a handler
    ground.run({{"hang", "trap '' TERM; sleep 1000 & echo $! > new; mv new pid; sleep 1000"}});
    ::_exit(0);
  }
  while (!ground.os.files.read(path)) ::usleep(1000);
  const int pid = std::stoi(ground.os.files.read(path).value());
  ::kill(runner, SIGTERM);
  int status = 0;
  REQUIRE(::waitpid(runner, &status, 0) == runner);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
  CHECK(ground.os.processes.wait_gone(pid, 20s));
}

TEST_CASE("a check that never stops talking is kept by its beginning and its end") {
  Ground ground;
  const auto done = ground.run({{"loud", "seq 1 200000"}});
  CHECK(done[0].ok());
  CHECK(done[0].output.size() < 400);
  CHECK(done[0].output.starts_with("1\n2\n"));
  CHECK(done[0].output.ends_with("\n200000\n"));
  CHECK(done[0].output.find("bytes left out") != std::string::npos);
}

}  // namespace
}  // namespace pf
