#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "os/posix/os.h"
#include "os/posix/temp_directory.h"
#include "os/posix/wait.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLong = 60s;  // a test that needs it has failed

Command shell(std::string script) { return {.argv = {"sh", "-c", std::move(script)}}; }

Finished run(const Command& command) {
  auto result = PosixProcesses().run(command);
  REQUIRE(result);
  return std::move(*result);
}

int pid_in(const Path& path) { return std::stoi(PosixFiles().read(path).value()); }

int wait_code(Child& child) {
  REQUIRE(wait_readable(child.pidfd(), kLong));
  return child.ended().value();
}

TEST_CASE("run gives output, errors and the code") {
  const auto done = run(shell("echo out; echo err >&2; exit 7"));
  CHECK(done.out == "out\n");
  CHECK(done.err == "err\n");
  CHECK(done.code == 7);
  CHECK(!done.ok());
  CHECK(!done.cut);
  CHECK(run(shell("")).ok());
  CHECK(run(shell("kill -9 $$")).code == 128 + SIGKILL);
}

TEST_CASE("arguments are passed as they are") {
  const auto done = run({.argv = {"printf", "%s|", "", "a b", "$HOME;", "-n\n", "\xff"}});
  CHECK(done.out == "|a b|$HOME;|-n\n|\xff|");
}

TEST_CASE("standard input: empty, huge, not read") {
  CHECK(run({.argv = {"cat"}}).out.empty());
  const std::string huge(5u << 20, 'x');
  CHECK(run({.argv = {"cat"}, .input = huge}).out == huge);
  CHECK(run({.argv = {"true"}, .input = huge}).ok());
  CHECK(run({.argv = {"cat", "/dev/stdin"}, .input = "again"}).out == "again");
}

TEST_CASE("both streams may be larger than a pipe") {
  const auto done = run(shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"));
  CHECK(done.out.size() == 3000000);
  CHECK(done.err.size() == 3000000);
}

TEST_CASE("output past the limit is dropped, the program still runs to its end") {
  auto command = shell("head -c 1000000 /dev/zero; exit 3");
  command.output_limit = 1000;
  const auto done = run(command);
  CHECK(done.out.size() == 1000);
  CHECK(done.cut);
  CHECK(done.code == 3);
  command.output_limit = 0;
  CHECK(run(command).out.empty());
}

TEST_CASE("a missing program or directory is named with a fix") {
  const auto missing = PosixProcesses().run({.argv = {"no-such-program-here"}});
  REQUIRE(!missing);
  CHECK(missing.error().exit == Exit::machine);
  CHECK(missing.error().what == "cannot run 'no-such-program-here'");
  CHECK(missing.error().fix.find("PATH") != std::string::npos);
  const auto directory = PosixProcesses().run({.argv = {"true"}, .directory = "/no/such/place"});
  REQUIRE(!directory);
  CHECK(directory.error().why.find("/no/such/place") != std::string::npos);
  CHECK(!PosixProcesses().run({.argv = {"/etc/passwd"}}));
  CHECK(!PosixProcesses().run({.argv = {}}));
  CHECK(!PosixProcesses().run({.argv = {""}}));
}

TEST_CASE("directory and environment") {
  TempDirectory temp;
  auto command = shell("pwd; echo \"$A-${B-unset}-${C-unset}\"");
  command.directory = temp.path();
  command.environment = {{"A", "1=2"}, {"B", "x"}, {"B", std::nullopt}, {"C", ""}};
  CHECK(run(command).out == temp.path().string() + "\n1=2-unset-\n");
}

TEST_CASE("PATH of the command decides, relative entries do not count") {
  TempDirectory temp;
  REQUIRE(PosixFiles().replace(temp.path() / "tool", "#!/bin/sh\necho found\n", Durable::no));
  REQUIRE(PosixFiles().set_executable(temp.path() / "tool"));
  CHECK(run({.argv = {"tool"}, .environment = {{"PATH", temp.path().string()}}}).out == "found\n");
  CHECK(!PosixProcesses().run(
      {.argv = {"tool"}, .directory = temp.path(), .environment = {{"PATH", ".:"}}}));
  CHECK(run({.argv = {"./tool"}, .directory = temp.path()}).out == "found\n");
}

TEST_CASE("a timeout kills child and grandchild") {
  TempDirectory temp;
  const std::string pid = (temp.path() / "pid").string();
  auto command = shell("sleep 1000 & echo $! > " + pid + "; echo started; wait");
  command.timeout = 1s;
  const auto done = run(command);
  CHECK(done.timed_out);
  CHECK(!done.ok());
  CHECK(done.out == "started\n");
  CHECK(PosixProcesses().wait_gone(pid_in(pid), kLong));
}

TEST_CASE("a timeout kills those who ignore TERM") {
  TempDirectory temp;
  const std::string pid = (temp.path() / "pid").string();
  auto command =
      shell("trap '' TERM; sh -c 'echo $$ > " + pid + "; sleep 1000; sleep 1000'; sleep 1000");
  command.timeout = 1s;
  const auto done = run(command);
  CHECK(done.timed_out);
  CHECK(done.code == 128 + SIGKILL);
  CHECK(PosixProcesses().wait_gone(pid_in(pid), kLong));
}

TEST_CASE("an orphan that keeps the pipes does not delay the answer") {
  TempDirectory temp;
  const std::string pid = (temp.path() / "pid").string();
  const auto done = run(shell("sleep 1000 & echo $! > " + pid + "; echo mine"));
  CHECK(done.out == "mine\n");
  CHECK(done.ok());
  CHECK(PosixProcesses().alive(pid_in(pid)));
  ::kill(pid_in(pid), SIGKILL);
}

TEST_CASE("an orphan that writes without end does not delay the answer") {
  TempDirectory temp;
  const std::string pid = (temp.path() / "pid").string();
  run(shell("yes & echo $! > " + pid));
  ::kill(pid_in(pid), SIGKILL);
}

TEST_CASE("what is given is read from its descriptor, and no other is open") {
  Command command = shell("cat <&9; ls /proc/self/fd | tr '\\n' ' '");
  command.given = "some bytes ";
  CHECK(run(command).out == "some bytes 0 1 2 3 9 ");  // 3 is the listing's own
}

TEST_CASE("a child inherits neither a lock nor any other descriptor") {
  TempDirectory temp;
  PosixFiles files;
  int leak[2];
  REQUIRE(::pipe(leak) == 0);
  std::unique_ptr<Child> child;
  {
    const auto file = files.open(temp.path() / "lock", Open::create).value();
    REQUIRE(file->lock(0s).value());
    CHECK(run(shell("ls /proc/self/fd | wc -l")).out == "4\n");  // 0, 1, 2 and the listing's own
    child = PosixProcesses().start({.argv = {"sleep", "1000"}}, temp.path() / "log").value();
  }
  CHECK(files.open(temp.path() / "lock", Open::write).value()->lock(0s).value());
  child->kill_group();
  CHECK(wait_code(*child) == 128 + SIGTERM);
  ::close(leak[0]);
  ::close(leak[1]);
}

TEST_CASE("ignored and blocked signals are not passed on") {
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  const auto mask = run(shell("grep SigBlk /proc/self/status | cut -f2"));
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  CHECK(mask.out == "0000000000000000\n");
  CHECK(run(shell("kill -PIPE $$")).code == 128 + SIGPIPE);
}

TEST_CASE("start appends to the log and reports the end once reaped") {
  TempDirectory temp;
  PosixProcesses processes;
  for (int i = 0; i < 2; ++i) {
    const auto child =
        processes.start(shell("echo out; echo err >&2; exit 5"), temp.path() / "log").value();
    CHECK(wait_code(*child) == 5);
    CHECK(child->ended() == 5);
    child->kill_group();
    CHECK(!processes.alive(child->pid()));
  }
  CHECK(PosixFiles().read(temp.path() / "log").value() == "out\nerr\nout\nerr\n");
  CHECK(!processes.start({.argv = {"true"}}, temp.path() / "missing" / "log"));
}

TEST_CASE("a zombie is not alive") {
  TempDirectory temp;
  PosixProcesses processes;
  const auto child = processes.start({.argv = {"true"}}, temp.path() / "log").value();
  CHECK(processes.wait_gone(child->pid(), kLong));
  CHECK(!processes.alive(child->pid()));
  CHECK(child->ended() == 0);
  CHECK(processes.alive(::getpid()));
  CHECK(!processes.wait_gone(::getpid(), 1ms));
  for (const int none : {0, -1, -::getpid()}) {
    CHECK(!processes.alive(none));
    processes.terminate(none);
  }
}

TEST_CASE("start_detached returns at the first line, in a session of its own") {
  TempDirectory temp;
  PosixProcesses processes;
  const auto line = processes.start_detached(
      shell("echo log; echo \"$$ $(cut -d' ' -f6 /proc/$$/stat) ready\" >&$PAIRFLOW_READY_FD;"
            "exec sleep 1000"),
      temp.path() / "log");
  REQUIRE(line);
  const int pid = std::stoi(*line);
  CHECK(*line == std::to_string(pid) + " " + std::to_string(pid) + " ready");
  CHECK(processes.alive(pid));
  processes.terminate(pid);
  CHECK(processes.wait_gone(pid, kLong));
  CHECK(PosixFiles().read(temp.path() / "log").value() == "log\n");
}

TEST_CASE("start_detached of a program that ends, says half a line or nothing") {
  TempDirectory temp;
  PosixProcesses processes;
  const Path log = temp.path() / "log";
  CHECK(processes.start_detached(shell("exit 3"), log).value() == "");
  CHECK(processes.start_detached(shell("printf half >&$PAIRFLOW_READY_FD"), log).value() == "half");
  auto silent = shell("echo $$; exec sleep 1000");
  silent.timeout = 1s;
  CHECK(!processes.start_detached(silent, temp.path() / "pid"));
  CHECK(processes.wait_gone(pid_in(temp.path() / "pid"), kLong));
  CHECK(!processes.start_detached({.argv = {"no-such-program-here"}}, log));
}

TEST_CASE("run_in_foreground gives the code") {
  CHECK(PosixProcesses().run_in_foreground(shell("exit 4")).value() == 4);
  CHECK(PosixProcesses().run_in_foreground(shell("kill -INT $$")).value() == 128 + SIGINT);
}

TEST_CASE("ancestry starts with us and goes up") {
  const auto ancestry = PosixProcesses().ancestry();
  REQUIRE(ancestry.size() >= 2);
  CHECK(ancestry[0].pid == ::getpid());
  CHECK(ancestry[1].pid == ::getppid());
  CHECK(!ancestry[0].environment.empty());
}

TEST_CASE("find_program") {
  CHECK(PosixProcesses().find_program("sh")->is_absolute());
  CHECK(!PosixProcesses().find_program("no-such-program-here"));
  CHECK(!PosixProcesses().find_program(""));
}

TEST_CASE("what carries exactly the mark is ended, in whatever session; nothing else is") {
  const TempDirectory directory;
  const Path one = directory.path() / "one", two = directory.path() / "two",
             three = directory.path() / "three";
  const auto sleeper = [](const Path& pid) {
    return fmt::format("setsid -f sh -c 'echo $$ >{0}.new; mv {0}.new {0}; exec sleep 600'",
                       pid.string());
  };
  const auto there = [](const Path& path) {
    while (!PosixFiles().exists(path).value()) PosixClock().sleep(5ms);
    return pid_in(path);
  };
  Command other = shell(sleeper(two));
  other.environment = {{"PF_TEST_MARK", directory.path().string() + "/x"}};
  run(other);
  run(shell(sleeper(three)));
  Command marked =
      shell(sleeper(one) + fmt::format("; while ! [ -e {} ]; do :; done", one.string()));
  marked.environment = {{"PF_TEST_MARK", directory.path().string()}};
  marked.mark = "PF_TEST_MARK=" + directory.path().string();
  const auto done = run(marked);
  CHECK(done.ok());
  PosixProcesses processes;
  CHECK(!processes.alive(there(one)));
  for (const int pid : {there(two), there(three)}) {
    CHECK(processes.alive(pid));
    ::kill(pid, SIGKILL);
  }
}

}  // namespace
}  // namespace pf
