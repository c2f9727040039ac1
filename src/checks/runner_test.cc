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
