#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <csignal>

#include "os/descriptor.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"
#include "os/posix/wait.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kTooLong = 60s;  // a test that needs it has failed

// A program that holds the lock at `path` until it is killed.
std::unique_ptr<Child> start_holder(const Path& path, const Path& log) {
  return PosixProcesses()
      .start({.argv = {"flock", "-x", "-o", path.string(), "-c", "echo held; exec sleep 1000"}},
             log)
      .value();
}

// What a listener that was killed leaves behind.
void abandon_socket(const Path& path) {
  const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

}  // namespace

TEST_CASE("a lock held by a killed process is free again") {
  TempDirectory temp;
  PosixFiles files;
  const Path path = temp.path() / "lock";
  const Path log = temp.path() / "log";
  const auto holder = start_holder(path, log);
  const auto file = files.open(path, Open::create).value();
  while (files.read(log).value_or("") != "held\n") REQUIRE(!holder->ended());
  CHECK(!file->lock(10ms).value());
  ::kill(-holder->pid(), SIGKILL);
  CHECK(file->lock(kTooLong).value());
  REQUIRE(wait_readable(holder->pidfd(), kTooLong));
  CHECK(holder->ended());
}

TEST_CASE("created files are private") {
  TempDirectory temp;
  REQUIRE(PosixFiles().open(temp.path() / "file", Open::create));
  struct stat found{};
  REQUIRE(::stat((temp.path() / "file").c_str(), &found) == 0);
  CHECK((found.st_mode & 07777) == 0600);
}

TEST_CASE("a file that others may read stays so when it is replaced; a shared one is made so") {
  TempDirectory temp;
  PosixFiles files;
  const Path path = temp.path() / "file";
  const mode_t mask = ::umask(0022);
  REQUIRE(files.open(path, Open::create_shared));
  ::umask(mask);
  struct stat found{};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  CHECK((found.st_mode & 07777) == 0644);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  REQUIRE(files.replace(path, "new", Durable::no));
  REQUIRE(::stat(path.c_str(), &found) == 0);
  CHECK((found.st_mode & 07777) == 0640);
}

TEST_CASE("a fifo never makes us wait") {
  TempDirectory temp;
  const Path fifo = temp.path() / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  PosixFiles files;
  CHECK(!files.read(fifo));
  CHECK(!files.copy(fifo, temp.path() / "copy"));
  const auto beneath = files.read_beneath(temp.path(), "fifo", 100);
  REQUIRE(!beneath);
  CHECK(beneath.error().exit == Exit::usage);
  CHECK(files.info(fifo).value()->kind == FileKind::other);
}

TEST_CASE("a full disk gives a short write, and replace keeps the old content") {
  TempDirectory temp;
  PosixFiles files;
  REQUIRE(files.replace(temp.path() / "file", "old", Durable::no));
  const auto file = files.open(temp.path() / "other", Open::create).value();
  struct rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  struct rlimit small = before;
  small.rlim_cur = 10;
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto wrote = file->write_at(4, "0123456789");
  const auto again = file->write_at(10, "x");
  const auto replaced = files.replace(temp.path() / "file", "0123456789abc", Durable::yes);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, old_action);
  CHECK(wrote.value() == 6);
  CHECK(again.value() == 0);
  REQUIRE(!replaced);
  CHECK(!replaced.error().fix.empty());
  CHECK(files.read(temp.path() / "file").value() == "old");
  CHECK(files.list(temp.path()).value().size() == 2);
}

TEST_CASE("bells work where the path is longer than a socket address") {
  TempDirectory temp;
  PosixFiles files;
  const Path directory = temp.path() / std::string(120, 'd') / std::string(120, 'e');
  const auto bell = files.listen(directory).value();
  files.ring(directory);
  CHECK(wait_readable(bell->fd(), 0s));
  CHECK(bell->wait(0s));
}

TEST_CASE("what is told is there at once, for a look and for the reader, and nobody waits") {
  TempDirectory temp;
  PosixFiles files;
  const Path path = temp.path() / "socket";
  CHECK_FALSE(files.call(path, "nobody listens\n", 0));
  const auto listener = files.open_listener(path).value();
  REQUIRE(files.call(path, "words\n", 0));
  const Descriptor connection(listener->accept());
  CHECK(peek(connection.get()) == "words\n");
  CHECK(peek(connection.get()) == "words\n");
  REQUIRE(files.call(path, "", 0));
  const Descriptor silent(listener->accept());
  CHECK(peek(silent.get()) == "");
  const Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::connect(caller.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
          0);
  const Descriptor waiting(listener->accept());
  CHECK(peek(waiting.get()) == std::nullopt);
}

TEST_CASE("the bell of a dead owner is removed, anything else stays") {
  TempDirectory temp;
  PosixFiles files;
  const auto alive = files.listen(temp.path()).value();
  abandon_socket(temp.path() / "dead.bell");
  REQUIRE(files.replace(temp.path() / "text.bell", "a file of somebody", Durable::no));
  REQUIRE(files.replace(temp.path() / (std::string(200, 'x') + ".bell"), "", Durable::no));
  files.ring(temp.path());
  CHECK(!files.exists(temp.path() / "dead.bell").value());
  CHECK(files.exists(temp.path() / "text.bell").value());
  CHECK(files.list(temp.path()).value().size() == 3);
  CHECK(alive->wait(0s));
}

TEST_CASE("a directory in the place of a listener's socket does not stand in its way") {
  TempDirectory directory;
  PosixFiles files;
  const Path path = directory.path() / "socket";
  for (const Path& place : {path, Path(path.string() + ".new")})
    REQUIRE(files.make_directories(place / "full" / "of"));
  const auto listener = files.open_listener(path);
  REQUIRE(listener);
  CHECK(files.call(path, "hello\n", 0));
}

TEST_CASE("names in errors cannot reach the terminal as commands") {
  const auto missing = PosixFiles().read("/none/\x1b[31m\nred");
  REQUIRE(!missing);
  CHECK(missing.error().what.find('\x1b') == std::string::npos);
  CHECK(missing.error().what.find('\n') == std::string::npos);
}

}  // namespace pf
