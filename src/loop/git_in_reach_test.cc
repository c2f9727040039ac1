#include "loop/git_in_reach.h"

#include <doctest/doctest.h>

#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

struct Checkout {
  PosixOs posix;
  Os os = posix.os();
  TempDirectory directory;
  Path top = os.files.canonical(directory.path()).value();

  Checkout() { git({"init", "-q"}); }
  void git(std::vector<std::string> words) {
    Command command{{"git", "-C", top.string()}};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    REQUIRE(os.processes.run(command).value().ok());
  }
  void put(const Path& path) {
    REQUIRE(os.files.make_directories((top / path).parent_path()));
    REQUIRE(os.files.replace(top / path, "x", Durable::no));
  }
  GitInReach look(const Path& below = "") {
    return git_in_reach(os, top, below.empty() ? top : top / below).value();
  }
};
using Paths = std::vector<Path>;

}  // namespace

TEST_CASE("repositories inside a checkout are sealed, and what holds them is pinned") {
  Checkout world;
  world.put("lib/sub/.git/config");
  world.put("other/.git");
  world.put("plain/file");
  REQUIRE(world.os.files.make_link(world.top / "lib", world.top / "link"));
  const GitInReach all = world.look();
  CHECK(all.sealed == Paths{world.top / "lib/sub/.git", world.top / "other/.git"});
  CHECK(all.pinned == Paths{world.top / "lib", world.top / "lib/sub", world.top / "other"});
  CHECK(world.look("lib").sealed == Paths{world.top / "lib/sub/.git"});
  CHECK(world.look("lib").pinned == Paths{world.top / "lib/sub"});
  CHECK(world.look("plain").sealed.empty());
}

TEST_CASE("of the hooks those are sealed that nobody reviews") {
  Checkout world;
  world.put(".husky/_/husky.sh");
  CHECK(world.look().sealed.empty());  // git does not look there
  world.git({"config", "core.hooksPath", ".husky/_"});
  CHECK(world.look().sealed == Paths{world.top / ".husky/_"});
  CHECK(world.look().pinned == Paths{world.top / ".husky"});
  world.git({"config", "core.hooksPath", ".husky"});
  CHECK(world.look().sealed == Paths{world.top / ".husky"});
  world.put(".husky/pre-commit");
  world.git({"add", ".husky/pre-commit"});
  CHECK(world.look().sealed == Paths{world.top / ".husky/_"});
  world.git({"config", "core.hooksPath", "/elsewhere"});
  CHECK(world.look().sealed.empty());
}

}  // namespace pf
