#include "loop/bound_sockets.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>

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

// Real sockets, in a directory that the confinement shows although it lies in /tmp.
struct Sockets {
  PosixOs posix;
  Os os = posix.os();
  TempDirectory directory;
  Path top = os.files.canonical(directory.path()).value();
  std::vector<Descriptor> bound;
  Confinement c;

  Sockets() {
    c.home = "/home/nobody";
    c.visible = {top};
  }
  Path bind(const Path& name) {
    const Path path = top / name;
    REQUIRE(os.files.make_directories(path.parent_path()));
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    bound.push_back(std::move(socket));
    return path;
  }
  // What of ours is covered; others' programs run here too.
  std::vector<Path> covered(const std::vector<Path>& open = {}) {
    Confinement mine = c;
    REQUIRE(cover_sockets(os, open, mine));
    std::erase_if(mine.covered,
                  [&](const Path& path) { return !path.string().starts_with(top.string()); });
    return mine.covered;
  }
};
using Paths = std::vector<Path>;

}  // namespace

TEST_CASE("sockets that are bound now are covered where they would be seen") {
  Sockets world;
  const Path one = world.bind("one"), two = world.bind("sub/two words");
  CHECK(world.covered() == Paths{one, two});
  CHECK(world.covered({world.top / "sub"}) == Paths{one});
  world.c.hidden = {world.top / "sub"};
  CHECK(world.covered() == Paths{one});
  world.c.visible.clear();
  CHECK(world.covered().empty());  // /tmp is empty
  world.c.writable = {world.top};  // as a program's own directory is: no reason to let it call
  CHECK(world.covered() == Paths{one});
  REQUIRE(world.os.files.remove(one));
  CHECK(world.covered().empty());
}

TEST_CASE("git's own are left alone, and a directory of tmux is empty") {
  Sockets world;
  world.bind(".git/fsmonitor--daemon.ipc");
  world.bind("bare.git/x");
  const Path tmux = world.bind(fmt::format("tmux-{}/default", world.os.env.uid()));
  CHECK(world.covered().empty());
  REQUIRE(cover_sockets(world.os, {}, world.c));
  CHECK(std::ranges::count(world.c.hidden, tmux.parent_path()) == 1);
}

TEST_CASE("a socket is covered by each of the names under which it is shown") {
  Sockets world;
  const Path socket = world.bind("real/socket");
  REQUIRE(world.os.files.make_link(world.top / "real", world.top / "link"));
  world.c.visible = {world.top / "real"};
  world.c.writable = {world.top / "link"};
  CHECK(world.covered() == Paths{socket, world.top / "link/socket"});
}

TEST_CASE("more sockets than can be covered are refused") {
  Sockets world;
  for (int i = 0; i < 501; ++i) world.bind(std::to_string(i));
  const auto refused = cover_sockets(world.os, {}, world.c);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().exit == Exit::refused);
}

TEST_CASE("the kernel's list is read as it is, whatever stands in it") {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1000};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  CHECK(bound_sockets(os).value().empty());  // no such list
  REQUIRE(files.make_directories("/proc/net"));
  REQUIRE(files.replace("/proc/net/unix",
                        "Num       RefCount Protocol Flags    Type St Inode Path\n"
                        "00: 00000002 00000000 00010000 0001 01 1\n"
                        "00: 00000002 00000000 00010000 0001 01 2 @/abstract\n"
                        "00: 00000002 00000000 00010000 0001 01 3 relative\n"
                        "00: 00000002 00000000 00010000 0001 01 4 /etc/passwd\n"
                        "\n/torn\n00:\n",
                        Durable::no));
  REQUIRE(files.make_directories("/etc"));
  REQUIRE(files.replace("/etc/passwd", "", Durable::no));
  CHECK(bound_sockets(os).value().empty());
}

}  // namespace pf
