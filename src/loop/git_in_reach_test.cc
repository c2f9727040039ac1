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
  world.git({"config", "core.hooksPath", "."});
  CHECK(world.look().sealed.empty());
}

TEST_CASE("hooks are sealed where a link leads to, if that is in reach") {
  Checkout world;
  world.put("build/h/pre-commit");
  REQUIRE(world.os.files.make_link("build/h", world.top / ".hooks"));
  world.git({"config", "core.hooksPath", ".hooks"});
  CHECK(world.look().sealed == Paths{world.top / "build/h"});
  CHECK(world.look().pinned == Paths{world.top / "build"});
  REQUIRE(world.os.files.remove(world.top / ".hooks"));
  REQUIRE(world.os.files.make_link("/usr/bin", world.top / ".hooks"));
  CHECK(world.look().sealed.empty());
  REQUIRE(world.os.files.remove(world.top / ".hooks"));
  REQUIRE(world.os.files.make_link("nowhere", world.top / ".hooks"));
  CHECK(world.look().sealed.empty());
}

TEST_CASE("what could not be sealed is told: new repositories, bare ones too, and hooks") {
  Checkout world;
  world.git({"config", "core.hooksPath", ".husky/_"});
  world.put("old/.git/config");
  const auto see = [&] { return see_git(world.os, world.top, world.top).value(); };
  const GitSeen before = see();
  CHECK(news_of_git(before, see()).empty());
  world.put("new/.git");
  world.put("store/HEAD");
  world.put("store/refs/x");
  CHECK(news_of_git(before, see()).size() == 1);
  world.put("store/objects/x");
  world.put(".husky/_/post-commit");
  world.put(".husky/_/husky.sh");  // called by a hook, or not at all
  const auto news = news_of_git(before, see());
  REQUIRE(news.size() == 3);
  CHECK(news[0].contains((world.top / "new/.git").string()));
  CHECK(news[1].contains((world.top / "store").string() + " "));
  CHECK(news[2].contains("left a hook: look at " + (world.top / ".husky/_/post-commit").string()));
}

TEST_CASE("a hook that is changed, or leads elsewhere, is told too") {
  Checkout world;
  world.git({"config", "core.hooksPath", ".husky"});
  world.put(".husky/pre-commit");
  world.put("other/pre-commit");
  const auto see = [&] { return see_git(world.os, world.top, world.top).value(); };
  const GitSeen before = see();
  world.put(".husky/pre-commit");
  auto news = news_of_git(before, see());
  REQUIRE(news.size() == 1);
  CHECK(news[0].contains("changed a hook"));
  REQUIRE(world.os.files.rename(world.top / ".husky", world.top / "was"));
  REQUIRE(world.os.files.make_link("other", world.top / ".husky"));
  news = news_of_git(before, see());
  REQUIRE(news.size() == 1);
  CHECK(news[0].contains((world.top / ".husky/pre-commit").string()));
}

}  // namespace pf
