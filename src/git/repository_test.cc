#include "git/repository.h"

#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// Refuses to start anything.
struct NoProcesses final : PosixProcesses {
  Result<Finished> run(const Command&) override { return fail(Exit::machine, "started a process"); }
};

TEST_CASE("repository: found from the top, below, a linked worktree and inside .git, without git") {
  TestRepo repo;
  fs::create_directories(repo.top / "a/b");
  repo.git({"worktree", "add", "-q", "../linked", "-b", "other"});
  fs::create_directories(repo.root() / "linked/deep");
  fs::create_directory_symlink(repo.top / "a", repo.root() / "link");
  NoProcesses none;
  Os os{repo.os.files, none, repo.os.clock, repo.os.random, repo.os.env};
  for (const Path& from : {repo.top, repo.top / "a/b", repo.root() / "linked",
                           repo.root() / "linked/deep", repo.root() / "link/b", repo.top / ".git",
                           repo.top / ".git/hooks", repo.top / ".git/worktrees/linked"}) {
    CAPTURE(from);
    CHECK(good(find_repository(os, from)) == repo.repository());
  }
}

TEST_CASE("repository: a bubble's clone leads to the repository it was made from") {
  TestRepo repo;
  const TestBubble bubble(repo, WorkMode::clone);
  fs::create_directories(bubble.at / "src");
  CHECK(good(find_repository(repo.os, bubble.at / "src")) == repo.repository());
  fs::rename(repo.top, repo.root() / "moved");
  const auto gone = find_repository(repo.os, bubble.at);
  REQUIRE(!gone);
  CHECK(gone.error().exit == Exit::refused);
  CHECK(gone.error().why.find(repo.top.string()) != std::string::npos);
}

TEST_CASE("repository: none, bare, missing and orphaned places are refused with a fix") {
  TestRepo repo;
  fs::create_directories(repo.root() / "plain");
  auto found = find_repository(repo.os, repo.root() / "plain");
  REQUIRE(!found);
  CHECK(found.error().exit == Exit::refused);
  CHECK(found.error().fix.find("git init") != std::string::npos);

  repo.git({"clone", "-q", "--bare", ".", "../bare.git"});
  found = find_repository(repo.os, repo.root() / "bare.git/refs");
  REQUIRE(!found);
  CHECK(found.error().what.find("bare") != std::string::npos);
  repo.git({"worktree", "add", "-q", "../of-bare"}, repo.root() / "bare.git");
  CHECK(find_repository(repo.os, repo.root() / "of-bare").error().exit == Exit::refused);

  CHECK(find_repository(repo.os, repo.root() / "nowhere").error().exit == Exit::refused);
  TestRepo::write_at(repo.root() / "orphan/.git", "gitdir: /nonexistent/worktrees/x\n");
  CHECK(find_repository(repo.os, repo.root() / "orphan").error().exit == Exit::refused);
  TestRepo::write_at(repo.root() / "odd/.git", "something else\n");
  CHECK(!find_repository(repo.os, repo.root() / "odd"));
}

TEST_CASE("repository: control characters in its path are refused and not shown") {
  TestRepo repo;
  const Path bad = repo.root() / "a\x1b[31mb";
  REQUIRE(repo.os.files.rename(repo.top, bad));
  const auto found = find_repository(repo.os, bad);
  REQUIRE_FALSE(found);
  CHECK(found.error().exit == Exit::refused);
  CHECK_FALSE(found.error().what.contains('\x1b'));
  CHECK(found.error().fix == "rename the directory");
}

TEST_CASE("repository: a git directory kept apart, and a submodule") {
  TestRepo repo;
  repo.git({"init", "-q", "--separate-git-dir", "../apart", "../files"});
  auto found = find_repository(repo.os, repo.root() / "files");
  CHECK(good(found) == Repository{repo.root() / "files", repo.root() / "apart"});

  TestRepo outer;
  ::setenv("HOME", repo.root().c_str(), 1);
  outer.git({"-c", "protocol.file.allow=always", "submodule", "add", "-q", repo.top, "sub"});
  found = find_repository(outer.os, outer.top / "sub");
  CHECK(good(found) == Repository{outer.top / "sub", outer.top / ".git/modules/sub"});
  outer.git({"worktree", "add", "-q", "../../linked", "-b", "x"}, outer.top / "sub");
  CHECK(good(find_repository(outer.os, outer.root() / "linked")) == good(found));
}

TEST_CASE("check_base: the branch's commit, without a warning in a clean checkout") {
  TestRepo repo;
  const auto before = TestRepo::read(repo.top / ".git/index");
  const auto check = check_base(repo.os, repo.repository(), "main", "bubble/one");
  REQUIRE(check);
  CHECK(check->commit.str() == repo.head());
  CHECK(check->warnings == Texts{});
  CHECK(TestRepo::read(repo.top / ".git/index") == before);
}

TEST_CASE("check_base: a dirty checkout is warned about; our own files are not dirt") {
  TestRepo repo;
  repo.write(".pairflow/bubbles/one/bubble.toml", "");
  CHECK(check_base(repo.os, repo.repository(), "main", "bubble/one")->warnings.empty());
  repo.write("README", "edited\n");
  repo.write("new\nname", "");
  const auto check = check_base(repo.os, repo.repository(), "main", "bubble/one");
  REQUIRE(check->warnings.size() == 1);
  CHECK(check->warnings[0].find("2 uncommitted changes") != std::string::npos);
  CHECK(check->warnings[0].find("not part of the bubble") != std::string::npos);
}

TEST_CASE("check_base: a sparse checkout is not dirty") {
  TestRepo repo;
  repo.write("a/x", "1\n");
  repo.write("b/x", "1\n");
  repo.commit("two directories");
  repo.git({"sparse-checkout", "set", "a"});
  REQUIRE(!fs::exists(repo.top / "b"));
  CHECK(check_base(repo.os, repo.repository(), "main", "bubble/one")->warnings == Texts{});
}

TEST_CASE("check_base: refusals") {
  TestRepo repo;
  const auto refused = [&](const std::string& base, const std::string& bubble = "bubble/one") {
    const auto check = check_base(repo.os, repo.repository(), base, bubble);
    REQUIRE(!check);
    CHECK(check.error().exit == Exit::refused);
    return check.error();
  };
  SUBCASE("no such branch, with the nearest one") {
    CHECK(refused("mian").fix == "did you mean 'main'?");
    for (const auto& name : {"HEAD", "main~0", "refs/heads/main", "*", "-x", "", "ma\nin"})
      refused(name);
    refused(repo.head());
  }
  SUBCASE("only a remote has it") {
    repo.git({"update-ref", "refs/remotes/origin/trunk", "HEAD"});
    CHECK(refused("trunk").why == "only the remote branch 'origin/trunk' exists");
    CHECK(refused("trunk").fix == "git branch trunk origin/trunk");
    CHECK(refused("origin/trunk").fix == "git branch trunk origin/trunk");
    repo.git({"update-ref", "refs/remotes/origin/main", "HEAD"});
    CHECK(refused("origin/main").fix == "use --base main");
  }
  SUBCASE("the bubble's branch exists") {
    repo.git({"branch", "bubble/one"});
    CHECK(refused("main").what == "the branch 'bubble/one' exists already");
  }
  SUBCASE("a branch is in the way") {
    repo.git({"branch", "bubble"});
    CHECK(refused("main").why == "the branch 'bubble' is in its way");
    repo.git({"branch", "-m", "bubble", "bubble/one/more"});
    CHECK(refused("main").why == "the branch 'bubble/one/more' is in its way");
  }
  SUBCASE("no commits yet") {
    repo.git({"init", "-q", "-b", "main", "../empty"});
    const Repository empty{repo.root() / "empty", repo.root() / "empty/.git"};
    const auto check = check_base(repo.os, empty, "main", "bubble/one");
    REQUIRE(!check);
    CHECK(check.error().what.find("no commits yet") != std::string::npos);
  }
}

TEST_CASE("exclude: one line, once, every other byte kept") {
  TestRepo repo;
  const Path exclude = repo.top / ".git/info/exclude";
  const auto added = [&](std::string_view before) {
    TestRepo::write_at(exclude, before);
    REQUIRE(exclude_control_directory(repo.os, repo.repository()));
    REQUIRE(exclude_control_directory(repo.os, repo.repository()));
    return TestRepo::read(exclude);
  };
  CHECK(added("") == ".pairflow/\n");
  CHECK(added("# x\n*.o\n") == "# x\n*.o\n.pairflow/\n");
  CHECK(added("*.o") == "*.o\n.pairflow/\n");
  CHECK(added("*.o\r\n.pairflow/\r\n") == "*.o\r\n.pairflow/\r\n");
  CHECK(added("/.pairflow\n") == "/.pairflow\n");
  CHECK(added("x.pairflow/\n") == "x.pairflow/\n.pairflow/\n");
  fs::remove_all(repo.top / ".git/info");
  CHECK(exclude_control_directory(repo.os, repo.repository()));
  CHECK(TestRepo::read(exclude) == ".pairflow/\n");
  CHECK(!fs::exists(repo.top / ".gitignore"));
}

TEST_CASE("exclude: a linked file stays a link") {
  TestRepo repo;
  const Path exclude = repo.top / ".git/info/exclude";
  TestRepo::write_at(repo.root() / "mine", "*.o\n");
  fs::remove(exclude);
  fs::create_symlink(repo.root() / "mine", exclude);
  CHECK(exclude_control_directory(repo.os, repo.repository()));
  CHECK(fs::is_symlink(exclude));
  CHECK(TestRepo::read(repo.root() / "mine") == "*.o\n.pairflow/\n");
}

TEST_CASE("what is watched changes with config, hooks, attributes and exclude only") {
  TestRepo repo;
  const auto print = [&] {
    return read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index")->watched;
  };
  auto last = print();
  const auto changed = [&] { return std::exchange(last, print()) != last; };
  repo.write("README", "edited\n");
  repo.commit("edit");
  repo.write(".git/hooks/x.sample", "sample");
  CHECK(!changed());
  repo.git({"config", "core.autocrlf", "input"});
  CHECK(changed());
  repo.write(".git/hooks/pre-commit", "#!/bin/sh\n");
  CHECK(changed());
  fs::permissions(repo.top / ".git/hooks/pre-commit", fs::perms::all);
  CHECK(changed());
  repo.write(".git/hooks/pre-commit.d/one", "#!/bin/sh\n");
  CHECK(changed());
  repo.write(".git/info/attributes", "* -diff\n");
  CHECK(changed());
  repo.write(".git/info/exclude", "secret\n");
  CHECK(changed());
  CHECK(!changed());
}

}  // namespace
}  // namespace pf
