// The terminal as a screen: the real one on a pseudo terminal, and the fake.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "os/descriptor.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/processes.h"
#include "os/posix/os.h"
#include "os/posix/wait.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

// A pseudo terminal in the place of standard input and output for as long as it lives.
class Pty {
 public:
  Pty() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    REQUIRE(::grantpt(master_.get()) == 0);
    REQUIRE(::unlockpt(master_.get()) == 0);
    const Descriptor slave(::open(::ptsname(master_.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    REQUIRE(slave);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(slave.get(), fd);
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;
  ~Pty() {
    ::dup2(in_.get(), STDIN_FILENO);
    ::dup2(out_.get(), STDOUT_FILENO);
  }
  bool has_mode(tcflag_t mode) const {
    termios modes{};
    REQUIRE(::tcgetattr(STDIN_FILENO, &modes) == 0);
    return (modes.c_lflag & mode) != 0;
  }
  void resize(unsigned short columns, unsigned short rows) const {
    const winsize size{rows, columns, 0, 0};
    REQUIRE(::ioctl(master_.get(), TIOCSWINSZ, &size) == 0);
  }
  void type(std::string_view bytes) const {
    REQUIRE(::write(master_.get(), bytes.data(), bytes.size()) ==
            static_cast<ssize_t>(bytes.size()));
  }
  void hang_up() { master_.reset(); }

 private:
  Descriptor in_{::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)};
  Descriptor out_{::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)};
  Descriptor master_;
};

bool has_news(const SignalWatch& screen) { return wait_readable(screen.fd(), Duration::zero()); }

}  // namespace

TEST_CASE("a screen keeps keys off the terminal and gives it back") {
  PosixEnvironment env;
  const Pty pty;
  REQUIRE(env.is_terminal(Stream::out));
  CHECK(pty.has_mode(ECHO));
  {
    const auto screen = env.watch_signals().value();
    CHECK(!pty.has_mode(ECHO));
    CHECK(!pty.has_mode(ICANON));
    CHECK(pty.has_mode(ISIG));
    pty.resize(33, 7);
    CHECK(env.terminal_columns() == 33);
    CHECK(env.terminal_rows() == 7);
  }
  CHECK(pty.has_mode(ECHO));
  CHECK(pty.has_mode(ICANON));
}

TEST_CASE("a screen tells of resizes and of the wish to end; without a terminal too") {
  PosixEnvironment env;
  sigset_t before, after;
  REQUIRE(::sigprocmask(SIG_BLOCK, nullptr, &before) == 0);
  {
    const auto screen = env.watch_signals().value();
    CHECK(!has_news(*screen));
    REQUIRE(::raise(SIGWINCH) == 0);
    REQUIRE(::raise(SIGWINCH) == 0);
    CHECK(has_news(*screen));
    const auto resized = screen->take_news();
    CHECK(resized.resized);
    CHECK(!resized.end);
    CHECK(!has_news(*screen));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      REQUIRE(::raise(signal) == 0);
      CHECK(screen->take_news().end);
    }
    REQUIRE(::raise(SIGTERM) == 0);  // told too late: dropped, not acted on
  }
  REQUIRE(::sigprocmask(SIG_BLOCK, nullptr, &after) == 0);
  for (const int signal : {SIGWINCH, SIGINT, SIGTERM, SIGHUP})
    CHECK(sigismember(&before, signal) == sigismember(&after, signal));
}

TEST_CASE("a screen tells when nobody reads the output any more") {
  PosixEnvironment env;
  Pty restores;
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  Descriptor reader(ends[0]);
  REQUIRE(::dup2(ends[1], STDOUT_FILENO) >= 0);
  ::close(ends[1]);
  const auto screen = env.watch_signals().value();
  env.print(Stream::out, "it is read");
  CHECK(!has_news(*screen));
  CHECK(!screen->take_news().end);
  reader.reset();
  CHECK(has_news(*screen));
  CHECK(screen->take_news().end);
  CHECK(env.output_error() == std::errc{});
  env.print(Stream::out, "it is not");
  CHECK(env.output_error() == std::errc::broken_pipe);
}

TEST_CASE("a child of a program with a screen can be interrupted") {
  PosixOs posix;
  const auto screen = posix.env.watch_signals().value();
  const auto done = posix.processes.run({.argv = {"sh", "-c", "kill -TERM $$; sleep 100"}});
  CHECK(done.value().code == 128 + SIGTERM);
}

TEST_CASE("keys come as they are typed, and the terminal is given back") {
  PosixEnvironment env;
  const Pty pty;
  {
    const auto keys = env.take_keys().value();
    for (const auto mode : {ECHO, ICANON, ISIG}) CHECK(!pty.has_mode(static_cast<tcflag_t>(mode)));
    CHECK(keys->take() == "");
    CHECK(!wait_readable(keys->fd(), 0s));
    pty.type("a\x03\r\x1b[A");
    CHECK(wait_readable(keys->fd(), 1s));
    CHECK(keys->take() == "a\x03\r\x1b[A");
    CHECK(!wait_readable(keys->fd(), 0s));
    keys->wake_after(1ms);
    CHECK(wait_readable(keys->fd(), 5s));
    CHECK(keys->take() == "");
    CHECK(!wait_readable(keys->fd(), 0s));
  }
  for (const auto mode : {ECHO, ICANON, ISIG}) CHECK(pty.has_mode(static_cast<tcflag_t>(mode)));
}

TEST_CASE("a terminal that hung up gives no keys") {
  PosixEnvironment env;
  Pty pty;
  const auto keys = env.take_keys().value();
  pty.hang_up();
  CHECK(wait_readable(keys->fd(), 5s));
  CHECK(keys->take() == std::nullopt);
}

TEST_CASE("the fake screen and the ends of fake processes") {
  FakeEnvironment env;
  {
    const auto screen = env.watch_signals().value();
    CHECK(env.has_screen);
    CHECK(!has_news(*screen));
    env.resize(30, 5);
    CHECK(has_news(*screen));
    CHECK(screen->take_news().resized);
    env.ask_to_end();
    CHECK(screen->take_news().end);
    CHECK(!has_news(*screen));
  }
  CHECK(!env.has_screen);
  FakeProcesses processes;
  CHECK(processes.watch_end(7) == -1);
  processes.living = {7};
  const Descriptor end(processes.watch_end(7)), again(processes.watch_end(7));
  CHECK(!wait_readable(end.get(), 0s));
  processes.terminate(7);
  CHECK(wait_readable(end.get(), 0s));
  CHECK(wait_readable(again.get(), 0s));
  CHECK(processes.watch_end(7) == -1);
}

TEST_CASE("what people add to UTC") {
  PosixClock clock;
  CHECK(clock.utc_offset() >= -12h);
  CHECK(clock.utc_offset() <= 14h);
  FakeClock fake;
  CHECK(fake.utc_offset() == 0s);
  fake.set_utc_offset(90min);
  CHECK(fake.utc_offset() == 90min);
}

}  // namespace pf
