#include "sandbox/bubblewrap.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/text.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"
#include "sandbox/seccomp.h"

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

TEST_CASE("directories are pinned before what is in them is sealed") {
  const auto argv = bubblewrap("/usr/bin/bwrap", {.home = "/home/dev",
                                                  .writable = {"/tree"},
                                                  .sealed = {"/tree/sub/.git"},
                                                  .directory = "/tree",
                                                  .empty = {"/srv"},
                                                  .pinned = {"/tree/sub"}});
  CHECK(at(argv, "/srv") < at(argv, "/home/dev"));
  CHECK(at(argv, "/tree") < at(argv, "/tree/sub"));
  CHECK(at(argv, "/tree/sub") < at(argv, "/tree/sub/.git"));
}

TEST_CASE("the filter is read on a terminal, and elsewhere when it is asked for") {
  const auto has_filter = [](const Confinement& c) {
    const auto argv = bubblewrap("/usr/bin/bwrap", c);
    return at(argv, "--seccomp") < argv.size();
  };
  CHECK(has_filter({.terminal = true}));
  CHECK(has_filter({.filtered = true}));
  CHECK_FALSE(has_filter({}));
}

// The real thing, where it runs.
struct Confined {
  PosixOs posix;
  Os os = posix.os();
  TempDirectory directory;
  Path home = directory.path() / "home", repo = home / "repo", tree = home / "tree";
  Enforcement enforcement = find_enforcement(os);
  Confinement confinement{.home = home,
                          .visible = {repo, home / "missing"},
                          .writable = {tree},
                          .sealed = {tree / ".git", tree / "sub/.git"},
                          .hidden = {repo / ".pairflow"},
                          .directory = tree,
                          .environment = {{"PATH", "/usr/bin:/bin"}},
                          .filtered = true,
                          .pinned = {tree / "sub"}};

  Confined() {
    for (const Path& path : {repo / ".git", repo / ".pairflow/locks", tree, tree / "sub/.git"})
      REQUIRE(os.files.make_directories(path));
    REQUIRE(os.files.replace(home / "secret", "token", Durable::no));
    REQUIRE(os.files.replace(repo / ".pairflow/locks/x.lock", "1", Durable::no));
    REQUIRE(os.files.replace(tree / ".git", "gitdir: elsewhere", Durable::no));
    REQUIRE(os.files.replace(tree / "file", "old", Durable::no));
  }
  Finished run(const std::string& script) {
    Command command{bubblewrap(*enforcement.program, confinement)};
    command.given = confined_filter();
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

TEST_CASE("what holds a sealed directory is not moved aside; what is beside it can be written") {
  Confined world;
  if (!world.enforcement.program) {
    MESSAGE("not run: ", world.enforcement.why_not);
    return;
  }
  CHECK(world.run("echo x > sub/file && mv sub/file sub/other && rm sub/other").ok());
  for (const char* script : {"mv sub aside", "rmdir sub", "mv sub/.git sub/x", "mkdir sub/.git/x"})
    CHECK_MESSAGE(world.run(script).code != 0, script);
  world.confinement.pinned.clear();
  CHECK(world.run("mv sub aside && mkdir -p sub/.git").ok());  // the seal alone does not hold it
}

TEST_CASE("a covered file is nothing, and one that is gone does not stand in the way") {
  Confined world;
  if (!world.enforcement.program) {
    MESSAGE("not run: ", world.enforcement.why_not);
    return;
  }
  world.confinement.covered = {world.tree / "file"};
  CHECK(world.run("test -f file || cat file").code != 0);
  CHECK(world.run("mv file other || rm file").code != 0);
  const Path gone = "/usr/pairflow-gone";
  const std::vector<std::string> argv = {"bwrap",     "--tmpfs",   "/usr",      "--tmpfs",   gone,
                                         "--ro-bind", "/dev/null", gone,        "--ro-bind", gone,
                                         gone,        "--ro-bind", "/dev/null", "/bin",      "--",
                                         "x",         "--tmpfs",   gone};
  CHECK(on_what_is_there(world.os, argv) ==
        std::vector<std::string>{"bwrap", "--tmpfs", "/usr", "--ro-bind", gone, gone, "--ro-bind",
                                 "/dev/null", "/bin", "--", "x", "--tmpfs", gone});
}

TEST_CASE("a bubblewrap that fails without a word is told by its exit code") {
  PosixFiles files;
  FakeProcesses processes;
  FakeClock clock;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  processes.answers = {{{"/usr/bin/bwrap"}, {1, "", ""}}};
  CHECK(find_enforcement(os).why_not ==
        "bubblewrap cannot start here: it ends with exit code 1 and says nothing");
  processes.answers = {{{"/usr/bin/bwrap"}, {1, "", "no namespaces\n"}}};
  CHECK(find_enforcement(os).why_not == "bubblewrap cannot start here: no namespaces");
}

TEST_CASE("root writes nothing of the kernel's in /proc, and nobody reaches a key ring") {
  Confined world;
  if (!world.enforcement.program) {
    MESSAGE("not run: ", world.enforcement.why_not);
    return;
  }
  const char* const kSettings =
      "find /proc -maxdepth 3 -path '/proc/[0-9]*' -prune -o -path '/proc/*self*' -prune -o "
      "-type f -writable -print 2>/dev/null | grep .";
  const char* const kKeys = "perl -e 'exit(syscall(250, 0, -3, 0) >= 0 ? 0 : 1)'";
  CHECK_MESSAGE(world.run(kSettings).code != 0, world.run(kSettings).out);
  CHECK(world.run(kKeys).code != 0);
  world.confinement.root = false;
  if (world.os.env.uid() == 0) CHECK(world.run(kSettings).code == 0);
  world.confinement.filtered = false;
  CHECK(world.run(kKeys).code == 0);
}

}  // namespace
}  // namespace pf
