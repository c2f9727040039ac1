#include "git/private_index.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

Texts names_in(const Path& directory) {
  Texts names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

TEST_CASE("snapshot: an edit of the same size right after a snapshot is seen") {
  TestRepo repo;
  TestBubble bubble(repo);
  for (int i = 0; i < 20; ++i) {
    TestRepo::write_at(bubble.at / "README", fmt::format("{:05}\n", i));
    const auto warm = bubble.shot();
    CHECK(repo.git({"show", warm.tree.str() + ":README"}) == fmt::format("{:05}", i));
  }
}

TEST_CASE("snapshot: the kept index never shows") {
  TestRepo repo;
  repo.write("tracked", "x\n");
  repo.write("crlf", "a\r\nb\r\n");
  repo.commit("files");
  TestBubble bubble(repo);
  SUBCASE("a file becomes ignored by .gitignore and not ignored again") {
    TestRepo::write_at(bubble.at / "log", "x");
    CHECK(paths_of(both(bubble).changed) == Texts{"A log"});
    TestRepo::write_at(bubble.at / ".gitignore", "log\n");
    CHECK(paths_of(both(bubble).changed) == Texts{"A .gitignore"});
    fs::remove(bubble.at / ".gitignore");
    CHECK(paths_of(both(bubble).changed) == Texts{"A log"});
  }
  SUBCASE("a file becomes ignored by info/exclude") {
    TestRepo::write_at(bubble.at / "log", "x");
    bubble.shot();
    repo.write(".git/info/exclude", "log\n");
    CHECK(both(bubble).changed.empty());
  }
  SUBCASE("a tracked file is deleted and comes back ignored") {
    fs::remove(bubble.at / "tracked");
    CHECK(paths_of(bubble.shot().changed) == Texts{"D tracked"});
    repo.write(".git/info/exclude", "tracked\n");
    TestRepo::write_at(bubble.at / "tracked", "x\n");
    CHECK(bubble.shot().changed.empty());
  }
  SUBCASE("attributes come and go") {
    bubble.shot();
    TestRepo::write_at(bubble.at / ".gitattributes", "crlf text\n");
    CHECK(paths_of(bubble.shot().changed) == Texts{"A .gitattributes", "M crlf"});
    CHECK(paths_of(both(bubble).changed) == Texts{"A .gitattributes", "M crlf"});
    fs::remove(bubble.at / ".gitattributes");
    CHECK(bubble.shot().changed.empty());
  }
  SUBCASE("a new directory becomes a repository and plain again") {
    TestRepo::write_at(bubble.at / "lib/x", "x");
    CHECK(paths_of(bubble.shot().changed) == Texts{"A lib/x"});
    repo.git({"init", "-q"}, bubble.at / "lib");
    repo.git(
        {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"},
        bubble.at / "lib");
    CHECK(bubble.shot().changed.at(0).mode == "160000");
    CHECK(paths_of(both(bubble).changed) == Texts{"A lib"});
    fs::remove_all(bubble.at / "lib/.git");
    CHECK(paths_of(bubble.shot().changed) == Texts{"A lib/x"});
  }
}

TEST_CASE("snapshot: warm and cold agree after any edits") {
  const Texts names = {"a",          "dir/b", "dir/c.log",  "dir/.gitignore",
                       "sub/deep/d", "dir",   ".gitignore", ".gitattributes"};
  const Texts contents = {"", "*.log\n", "b\n!a\n", "* text\n", "x\r\n", "*\n"};
  for (unsigned seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    TestRepo repo;
    for (const auto* name : {"a", "dir/b", "dir/c.log"}) repo.write(name, "x\r\ny\r\n");
    repo.commit("files");
    TestBubble bubble(repo);
    std::mt19937 random(seed);
    for (int step = 0; step < 6; ++step) {
      for (int edit = 0; edit < 2; ++edit) {
        const auto& name = names[random() % names.size()];
        std::error_code ignored;
        if (random() % 3 == 0 || fs::is_directory(bubble.at / name) ||
            !fs::create_directories((bubble.at / name).parent_path(), ignored))
          fs::remove_all(bubble.at / name, ignored);
        if (fs::is_directory((bubble.at / name).parent_path()) && random() % 4 != 0)
          TestRepo::write_at(bubble.at / name, contents[random() % contents.size()]);
      }
      both(bubble);
    }
  }
}

struct Recorded final : PosixProcesses {
  Result<Finished> run(const Command& command) override {
    if (std::ranges::find(command.argv, "read-tree") != command.argv.end()) ++cold;
    return PosixProcesses::run(command);
  }
  int cold = 0;
};

TEST_CASE("snapshot: the kept index is used, whatever the names of new files") {
  TestRepo repo;
  repo.write("gone", "x");
  repo.commit("files");
  TestBubble bubble(repo);
  Recorded processes;
  Os os{repo.os.files, processes, repo.os.clock, repo.os.random, repo.os.env};
  Workspace workspace(os, repo.spec());
  good(workspace.snapshot(false));
  CHECK(processes.cold == 1);
  for (const auto* name : {"plain", ":(exclude)x", ":!y", "-n", "*", "a\nb", "dir/\xff"})
    TestRepo::write_at(bubble.at / name, "x");
  fs::remove(bubble.at / "gone");
  for (int i = 0; i < 3; ++i) CHECK(good(workspace.snapshot(false)).changed.size() == 8);
  CHECK(processes.cold == 1);
  good(workspace.snapshot(true));
  CHECK(processes.cold == 2);
}

TEST_CASE("snapshot: a damaged or missing kept index is made again silently") {
  TestRepo repo;
  TestBubble bubble(repo);
  TestRepo::write_at(bubble.at / "new", "x");
  const auto tree = bubble.shot().tree;
  const Path index = bubble.workspace.spec().index;
  REQUIRE(fs::exists(index));
  for (const auto& bytes : {std::string(), std::string("DIRC"), std::string(5000, 'x'),
                            TestRepo::read(index).substr(0, 40)}) {
    TestRepo::write_at(index, bytes);
    CHECK(bubble.shot().tree == tree);
  }
  fs::remove_all(index.parent_path());
  CHECK(bubble.shot().tree == tree);
}

TEST_CASE("snapshot: sixteen processes at once agree and leave nothing behind") {
  TestRepo repo;
  TestBubble bubble(repo);
  for (int i = 0; i < 50; ++i) TestRepo::write_at(bubble.at / fmt::format("f{}", i), "x\n");
  const auto expected = bubble.shot().tree;
  std::vector<pid_t> children;
  for (int i = 0; i < 16; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto fact = bubble.workspace.snapshot(i % 4 == 0);
      const bool same = fact && fact->tree == expected;
      ::_exit(same && bubble.workspace.anchor("tree/1", fact->tree.str()) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(bubble.shot().tree == expected);
  const Path directory = bubble.workspace.spec().index.parent_path();
  CHECK(names_in(directory) == Texts{"index", "index.known"});
}

TEST_CASE("snapshot: what a killed one left is removed by the next") {
  TestRepo repo;
  TestBubble bubble(repo);
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ::waitpid(dead, nullptr, 0);
  const Path index = bubble.workspace.spec().index;
  TestRepo::write_at(fmt::format("{}.{}.abcd", index.string(), dead), "half");
  TestRepo::write_at(fmt::format("{}.{}.abcd.lock", index.string(), dead), "half");
  TestRepo::write_at(fmt::format("{}.{}.abcd", index.string(), ::getppid()), "in use");
  bubble.shot();
  CHECK(!fs::exists(fmt::format("{}.{}.abcd", index.string(), dead)));
  CHECK(!fs::exists(fmt::format("{}.{}.abcd.lock", index.string(), dead)));
  CHECK(fs::exists(fmt::format("{}.{}.abcd", index.string(), ::getppid())));
}

}  // namespace
}  // namespace pf
