#include "loop/hidden_places.h"

#include <doctest/doctest.h>

#include "loop/other_loops.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

// Real files, and surroundings as a test sets them.
struct World {
  PosixFiles files;
  FakeProcesses processes;
  FakeClock clock;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  TempDirectory directory;
  Path top = files.canonical(directory.path()).value();
  Settings settings;

  World() {
    for (const char* name : {"data/dev/.claude", "repo", "run", "sockets"})
      REQUIRE(files.make_directories(top / name));
    REQUIRE(files.make_link(top / "data/dev", top / "home"));
    env.variables["HOME"] = (top / "home").string();
  }
  Confinement confinement() {
    Confinement c;
    c.home = top / "data/dev";
    c.visible = {top / "repo"};
    c.directory = top / "repo";
    c.terminal = true;
    return c;
  }
  Result<std::vector<Path>> emptied() {
    Confinement c = confinement();
    TRY(hide_places(os, settings, {}, c));
    return c.empty;
  }
};
using Paths = std::vector<Path>;

}  // namespace

TEST_CASE("a path lies in a place by whole names") {
  CHECK(lies_in("/a/b", "/a"));
  CHECK(lies_in("/a", "/a"));
  CHECK(lies_in("/a/b", "/a/"));
  CHECK_FALSE(lies_in("/ab", "/a"));
  CHECK_FALSE(lies_in("/a", "/a/b"));
}

TEST_CASE("the home directory is where its links lead to") {
  World world;
  CHECK(home_directory(world.os).value() == world.top / "data/dev");
}

TEST_CASE("without HOME it is the one of /etc/passwd, or nothing is confined") {
  World world;
  world.env.variables.erase("HOME");
  world.env.user = 0;
  CHECK(home_directory(world.os).value() == "/root");
  world.env.variables["HOME"] = "/";
  CHECK(home_directory(world.os).value() == "/root");
  world.env.user = 3999999999;
  CHECK_FALSE(home_directory(world.os));
  world.env.variables["HOME"] = (world.top / "missing").string();
  CHECK_FALSE(home_directory(world.os));
}

TEST_CASE("the directories of tmux are empty wherever they are") {
  World world;
  CHECK(world.emptied().value().empty());
  // Below /tmp, /run and the home directory nothing is seen anyway; the test's own is in /tmp.
  world.env.variables["TMUX_TMPDIR"] = "/var";
  CHECK(world.emptied().value() == Paths{"/var"});
  world.env.variables["TMUX"] = "/srv/default,123,0";
  CHECK(world.emptied().value() == Paths{"/srv", "/var"});
  world.settings.tmux_socket = "/opt/socket";
  CHECK(world.emptied().value() == Paths{"/opt", "/srv", "/var"});
  world.env.variables["PAIRFLOW_TMUX_SOCKET"] = "/media/socket";
  CHECK(world.emptied().value() == Paths{"/media", "/srv", "/var"});
}

TEST_CASE("a socket of tmux that agents would be shown is refused") {
  World world;
  world.settings.tmux_socket = (world.top / "repo/tmux.sock").string();
  REQUIRE_FALSE(world.emptied());
  CHECK(world.emptied().error().fix.contains("[tmux] socket"));
  world.settings.tmux_socket = "/tmux.sock";
  CHECK_FALSE(world.emptied());
}

TEST_CASE("a repository that holds the home directory is refused") {
  World world;
  Confinement c = world.confinement();
  c.visible = {world.top / "data"};
  CHECK_FALSE(hide_places(world.os, world.settings, {}, c));
}

TEST_CASE("mounts are where links lead to; a sealed link is not a place for one") {
  World world;
  const Path real = world.top / "data/dev/.claude";
  REQUIRE(world.files.make_link(world.top / "repo/settings", real / "settings.json"));
  REQUIRE(world.files.replace(world.top / "repo/settings", "{}", Durable::no));
  Confinement c = world.confinement();
  c.visible = {};
  c.writable = {world.top / "home/.claude"};
  c.sealed = {real / "settings.json", real / "hooks"};
  REQUIRE(hide_places(world.os, world.settings, {}, c));
  CHECK(c.writable == Paths{real});
  CHECK(c.sealed == Paths{real / "hooks"});
  CHECK(c.visible == Paths{world.top / "repo/settings"});
}

TEST_CASE("locks and sockets of other repositories are hidden wherever they are seen") {
  World world;
  const Path own = world.top / "repo/.pairflow", other = world.top / "repo/other/.pairflow",
             unseen = world.top / "elsewhere/.pairflow";
  for (const Path& control : {own, other, unseen}) {
    REQUIRE(world.files.make_directories(control / "locks"));
    REQUIRE(note_loops(world.os, {control, {}}));
  }
  Confinement c = world.confinement();
  c.hidden = {own / "locks"};
  REQUIRE(hide_places(world.os, world.settings, {}, c));
  CHECK(c.hidden == Paths{own / "locks", other / "locks"});  // /tmp is empty, runtime is not there
  REQUIRE(world.files.remove_all(other));
  CHECK(other_loops(world.os).value().size() == 2);
}

TEST_CASE("the tmux of another repository is hidden, running or not, if its directory is its own") {
  World world;
  const Path control = world.top / "elsewhere/.pairflow";
  REQUIRE(world.files.make_directories(control));
  REQUIRE(world.files.make_directories(world.top / "repo/sock"));
  REQUIRE(note_loops(world.os, {control, world.top / "repo/sock/t.sock"}));
  const auto hidden = [&] {
    Confinement c = world.confinement();
    REQUIRE(hide_places(world.os, world.settings, {}, c));
    return c.hidden;
  };
  CHECK(hidden() == Paths{world.top / "repo/sock"});
  REQUIRE(world.files.replace(world.top / "repo/sock/t.sock.lock", "", Durable::no));
  CHECK(hidden() == Paths{world.top / "repo/sock"});
  REQUIRE(world.files.replace(world.top / "repo/sock/program", "", Durable::no));
  CHECK(hidden().empty());  // then the socket alone is covered, while it is bound
  REQUIRE(note_loops(world.os, {control, {}}));
  CHECK(other_loops(world.os).value().front().tmux_socket.empty());
}

TEST_CASE("what root can write in /proc is sealed for root alone") {
  World world;
  Confinement c = world.confinement();
  REQUIRE(hide_places(world.os, world.settings, {}, c));
  CHECK_FALSE(c.root);
  world.env.user = 0;
  REQUIRE(hide_places(world.os, world.settings, {}, c));
  CHECK(c.root);
}

}  // namespace pf
