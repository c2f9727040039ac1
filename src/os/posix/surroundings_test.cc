// Clock, random bytes and environment: the real ones and the fakes.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/descriptor.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

// Puts another descriptor in the place of `fd` for as long as it lives.
class Redirect {
 public:
  Redirect(int fd, int by) : fd_(fd), saved_(::fcntl(fd, F_DUPFD_CLOEXEC, 10)) { ::dup2(by, fd); }
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;
  ~Redirect() { ::dup2(saved_.get(), fd_); }

 private:
  int fd_;
  Descriptor saved_;
};

Descriptor in_memory(std::string_view text) {
  Descriptor fd(::memfd_create("test", MFD_CLOEXEC));
  REQUIRE(::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

}  // namespace

TEST_CASE("the real clock") {
  PosixClock clock;
  const MonoTime before = clock.mono();
  clock.sleep(2ms);
  clock.sleep(-1s);
  CHECK(clock.mono() - before >= 2ms);
  CHECK(clock.wall().ms > 1'700'000'000'000);
  CHECK(clock.boot_id().size() == 8);
  CHECK(clock.moment().boot == clock.boot_id());
  CHECK(clock.moment().mono_ms >= before.since_boot / 1ms);
}

TEST_CASE("waiting without end does not overflow") {
  TempDirectory temp;
  PosixFiles files;
  FakeDisk disk;
  FakeClock clock;
  FakeFiles fake(disk, clock, 1);
  const Duration forever = Duration::max();
  CHECK(files.open(temp.path() / "lock", Open::create).value()->lock(forever).value());
  CHECK(fake.open("/lock", Open::create).value()->lock(forever).value());
  CHECK(PosixProcesses().run({.argv = {"true"}, .timeout = forever}).value().ok());
}

TEST_CASE("the fake clock") {
  FakeClock clock;
  const WallTime start = clock.wall();
  const MonoTime mono = clock.mono();
  for (int i = 0; i < 10; ++i) clock.sleep(100us);
  CHECK(clock.wall().ms == start.ms + 1);
  CHECK(clock.mono() - mono == 1ms);
  clock.suspend(1h);
  CHECK(clock.wall().ms == start.ms + 3'600'001);
  CHECK(clock.mono() - mono == 1ms);
  const std::string boot = clock.boot_id();
  clock.reboot();
  CHECK(clock.boot_id() != boot);
  CHECK(clock.moment() == Moment{clock.boot_id(), 0});
}

TEST_CASE("tokens") {
  PosixRandom random;
  CHECK(random.token().size() == 16);
  CHECK(random.token() != random.token());
  CHECK(random.token(0).empty());
  CHECK(FakeRandom(3).token(100) == FakeRandom(3).token(100));
  CHECK(FakeRandom(3).token() != FakeRandom(4).token());
}

TEST_CASE("variables and places") {
  PosixEnvironment env;
  REQUIRE(::setenv("PAIRFLOW_TEST_VARIABLE", "a=b", 1) == 0);
  CHECK(env.get("PAIRFLOW_TEST_VARIABLE") == "a=b");
  CHECK(env.get("PAIRFLOW_TEST_VARIABL") == std::nullopt);
  CHECK(env.get("") == std::nullopt);
  REQUIRE(::unsetenv("PAIRFLOW_TEST_VARIABLE") == 0);
  CHECK(env.get("PAIRFLOW_TEST_VARIABLE") == std::nullopt);
  CHECK(env.current_directory().is_absolute());
  CHECK(env.executable().filename() == "test_os");
  CHECK(env.pid() == ::getpid());
  CHECK(env.terminal_columns() > 0);
  CHECK(env.terminal_rows() > 0);
}

TEST_CASE("lines of standard input: empty ones, a last one without newline, the end") {
  PosixEnvironment env;
  const auto text = in_memory("one\n\n" + std::string(200'000, 'x') + "\nrest");
  const Redirect in(STDIN_FILENO, text.get());
  CHECK(!env.is_terminal(Stream::in));
  CHECK(env.read_line() == "one");
  CHECK(env.read_line() == "");
  CHECK(env.read_line()->size() == 200'000);
  CHECK(env.read_line() == "rest");
  CHECK(env.read_line() == std::nullopt);
}

TEST_CASE("a line beyond the limit is refused, the next one is read") {
  const std::string longest(100'000, 'x');
  PosixEnvironment env;
  const auto text = in_memory(longest + "\n" + longest + "y\n" + longest + longest + "\nshort\n\n" +
                              longest + "y");
  const Redirect in(STDIN_FILENO, text.get());
  CHECK(env.read_line_within(longest.size()).value() == longest);
  CHECK(env.read_line_within(longest.size()).error().exit == Exit::usage);
  CHECK(env.read_line_within(longest.size()).error().exit == Exit::usage);
  CHECK(env.read_line_within(longest.size()).value() == "short");
  CHECK(env.read_line_within(longest.size()).value() == "");
  CHECK(env.read_line_within(longest.size()).error().exit == Exit::usage);
  CHECK(env.read_line_within(longest.size()).value() == std::nullopt);
}

TEST_CASE("all of standard input up to a limit") {
  const std::string text(100'000, 'x');
  for (const std::size_t limit : {text.size(), text.size() - 1}) {
    PosixEnvironment env;
    const auto input = in_memory(text);
    const Redirect in(STDIN_FILENO, input.get());
    const auto all = env.read_all(limit);
    CHECK(all.has_value() == (limit == text.size()));
    if (!all) CHECK(all.error().exit == Exit::usage);
  }
}

TEST_CASE("printing to a closed pipe is ignored") {
  PosixEnvironment env;
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  ::close(ends[0]);
  {
    const Redirect err(STDERR_FILENO, ends[1]);
    env.print(Stream::err, "nobody reads this");
  }
  ::close(ends[1]);
}

TEST_CASE("closed standard streams are opened before anything else can take their numbers") {
  const Descriptor saved(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10));
  ::close(STDIN_FILENO);
  PosixOs os;
  CHECK(os.files.open("/dev/zero", Open::read).has_value());
  CHECK(os.env.read_line() == std::nullopt);
  ::dup2(saved.get(), STDIN_FILENO);
}

TEST_CASE("the fake environment and processes") {
  FakeEnvironment env;
  env.variables["A"] = "1";
  env.input = {"x", "y"};
  CHECK(env.get("A") == "1");
  CHECK(env.get("B") == std::nullopt);
  CHECK(env.read_line() == "x");
  CHECK(env.read_all(10).value() == "y\n");
  env.print(Stream::err, "e");
  CHECK(env.err == "e");
  FakeProcesses processes;
  Finished version;
  version.out = "2.39\nmore";
  processes.answers.push_back({{"git", "version"}, version});
  CHECK(processes.run({.argv = {"git", "version", "--x"}}).value().out == "2.39\nmore");
  CHECK(processes.start_detached({.argv = {"git", "version"}}, "").value() == "2.39");
  CHECK(!processes.run({.argv = {"git"}}));
  CHECK(processes.ran.size() == 3);
  CHECK(processes.find_program("git"));
  CHECK(!processes.find_program("tmux"));
}

}  // namespace pf
