#include "sandbox/bubblewrap.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/text.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

std::size_t at(const std::vector<std::string>& argv, const std::string& word) {
  return static_cast<std::size_t>(std::ranges::find(argv, word) - argv.begin());
}

TEST_CASE("the order of the mounts is the meaning") {
  const auto argv = bubblewrap("/usr/bin/bwrap", {.home = "/home/dev",
                                                  .visible = {"/home/dev/repo"},
                                                  .writable = {"/home/dev/tree"},
                                                  .sealed = {"/home/dev/tree/.git"},
                                                  .hidden = {"/home/dev/repo/.pairflow"},
                                                  .directory = "/home/dev/tree",
                                                  .environment = {{"PATH", "/bin"}}});
  CHECK(argv.front() == "/usr/bin/bwrap");
  CHECK(argv.back() == "--");
  CHECK(at(argv, "/home/dev") < at(argv, "/home/dev/repo"));
  CHECK(at(argv, "/home/dev/repo") < at(argv, "/home/dev/repo/.pairflow"));
  CHECK(at(argv, "/home/dev/tree") < at(argv, "/home/dev/tree/.git"));
  CHECK(at(argv, "--clearenv") < at(argv, "--setenv"));
}

// The real thing, where it runs.
struct Confined {
  PosixOs posix;
  Os os = posix.os();
  TempDirectory directory;
  Path home = directory.path() / "home", repo = home / "repo", tree = home / "tree";
  Enforcement enforcement = find_enforcement(os);

  Confined() {
    for (const Path& path : {repo / ".git", repo / ".pairflow/locks", tree})
      REQUIRE(os.files.make_directories(path));
    REQUIRE(os.files.replace(home / "secret", "token", Durable::no));
    REQUIRE(os.files.replace(repo / ".pairflow/locks/x.lock", "1", Durable::no));
    REQUIRE(os.files.replace(tree / ".git", "gitdir: elsewhere", Durable::no));
    REQUIRE(os.files.replace(tree / "file", "old", Durable::no));
  }
  Finished run(const std::string& script) {
    Command command{bubblewrap(*enforcement.program, {.home = home,
                                                      .visible = {repo, home / "missing"},
                                                      .writable = {tree},
                                                      .sealed = {tree / ".git"},
                                                      .hidden = {repo / ".pairflow"},
                                                      .directory = tree,
                                                      .environment = {{"PATH", "/usr/bin:/bin"}}})};
    for (const char* word : {"/bin/sh", "-c"}) command.argv.emplace_back(word);
    command.argv.push_back(script);
    command.timeout = std::chrono::seconds(60);
    return os.processes.run(command).value();
  }
};

TEST_CASE(
    "a confined command writes its tree and nothing else, and sees no secret, lock or socket") {
  Confined world;
  if (!world.enforcement.program) {
    MESSAGE("not run: ", world.enforcement.why_not);
    return;
  }
  CHECK(world.run("echo new > file && cat file").out == "new\n");
  CHECK(world.os.files.read(world.tree / "file") == "new\n");
  for (const char* script : {"echo x > .git", "echo x > ../repo/.git/config", "echo x > /etc/motd",
                             "mv .git elsewhere", "rm .git"}) {
    CAPTURE(script);
    CHECK(world.run(script).code != 0);
  }
  CHECK(world.os.files.read(world.tree / ".git") == "gitdir: elsewhere");
  CHECK(world.run("cat ../secret").code != 0);
  CHECK(world.run("ls ../repo/.pairflow /run /tmp | grep lock").code != 0);
  CHECK(world.run("test -w /tmp && echo x > /tmp/mine").ok());
  CHECK(world.run("env | cut -d= -f1 | sort | tr '\\n' ' '").out == "PATH PWD ");
  CHECK(world.run("ls /proc | grep -c '^[0-9]'").out.size() <= 2);
}

}  // namespace
}  // namespace pf
