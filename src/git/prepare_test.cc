#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;
constexpr auto kModes = {WorkMode::worktree, WorkMode::clone};

// What must never change in the user's repository, as one text.
std::string sacred(TestRepo& repo) {
  std::string all =
      TestRepo::read(repo.top / ".git/config") + TestRepo::read(repo.top / ".git/HEAD") +
      TestRepo::read(repo.top / ".git/index") + TestRepo::read(repo.top / ".git/info/exclude") +
      repo.git({"status", "--porcelain"}) + repo.git({"stash", "list"});
  for (const auto& hook : fs::directory_iterator(repo.top / ".git/hooks")) all += hook.path();
  return all;
}

TEST_CASE("prepare: branch and files at the base, twice, and undone") {
  for (const auto mode : kModes) {
    TestRepo repo;
    repo.write("src/main.c", "int main;\n");
    repo.commit("source");
    const auto before = sacred(repo);
    Workspace workspace(repo.os, repo.spec(mode));
    const Path at = workspace.spec().worktree;
    CHECK(!good(workspace.exists()));
    good(workspace.prepare());
    CHECK(good(workspace.exists()));
    CHECK(TestRepo::read(at / "src/main.c") == "int main;\n");
    CHECK(repo.git({"symbolic-ref", "HEAD"}, at) == "refs/heads/bubble/one");
    CHECK(repo.git({"status", "--porcelain"}, at) == "");
    CHECK(repo.git({"rev-parse", "bubble/one"}) == repo.head());
    CHECK(good(workspace.tip()).str() == repo.head());

    TestRepo::write_at(at / "README", "an agent's work\n");
    good(workspace.prepare());
    CHECK(TestRepo::read(at / "README") == "an agent's work\n");

    TestRepo::write_at(at / "README", "hello\n");
    good(workspace.unprepare());
    good(workspace.unprepare());
    CHECK(!fs::exists(at));
    CHECK(!good(workspace.exists()));
    CHECK(repo.git({"for-each-ref", "refs/heads/bubble", "refs/pairflow"}) == "");
    CHECK(repo.git({"worktree", "list", "--porcelain"}).find("one") == std::string::npos);
    CHECK(sacred(repo) == before);
    good(workspace.prepare());
  }
}

TEST_CASE("prepare: goes on from every state an earlier try can have left") {
  TestRepo repo;
  Workspace workspace(repo.os, repo.spec());
  const Path at = workspace.spec().worktree;
  const Path entry = repo.top / ".git/worktrees/one";
  SUBCASE("only the branch") { repo.git({"branch", "bubble/one"}); }
  SUBCASE("an empty directory") { fs::create_directories(at); }
  SUBCASE("registered, directory gone") {
    good(workspace.prepare());
    fs::remove_all(at);
    CHECK(!good(workspace.exists()));
  }
  SUBCASE("registered, directory and branch gone") {
    good(workspace.prepare());
    fs::remove_all(at);
    repo.git({"update-ref", "-d", "refs/heads/bubble/one"});
  }
  SUBCASE("killed within 'git worktree add'") {
    good(workspace.prepare());
    fs::remove_all(at);
    fs::create_directories(at);
    fs::remove(entry / "pairflow-ready");
    TestRepo::write_at(entry / "locked", "initializing");
    TestRepo::write_at(entry / "HEAD", std::string(40, '0') + "\n");
  }
  SUBCASE("killed within the checkout") {
    good(workspace.prepare());
    fs::remove(entry / "pairflow-ready");
    fs::remove(entry / "index");
    TestRepo::write_at(entry / "index.lock", "half");
    fs::remove(at / "README");
    TestRepo::write_at(at / ".env.1234.tmp", "half");
  }
  SUBCASE("the .git file removed") {
    good(workspace.prepare());
    fs::remove(at / ".git");
    CHECK(!good(workspace.exists()));
  }
  good(workspace.prepare());
  CHECK(good(workspace.exists()));
  CHECK(TestRepo::read(at / "README") == "hello\n");
  CHECK(repo.git({"symbolic-ref", "HEAD"}, at) == "refs/heads/bubble/one");
  CHECK(repo.git({"status", "--porcelain"}, at) == "");
  CHECK(repo.git({"worktree", "list"}).find("prunable") == std::string::npos);
}

// Cut off at the n-th process: before it does anything, or after it did.
struct Interrupted final : PosixProcesses {
  Result<Finished> run(const Command& command) override {
    if (left-- > 0) return PosixProcesses::run(command);
    if (after && left == -1) (void)PosixProcesses::run(command);
    return fail(Exit::machine, "interrupted");
  }
  int left = 0;
  bool after = false;
};

void survives_interruption(WorkMode mode, bool after) {
  TestRepo repo;
  repo.write(".worktreeinclude", "loose\n");
  repo.write(".gitignore", "loose\n");
  repo.commit("lists");
  repo.write("loose", "x");
  Interrupted processes;
  Os os{repo.os.files, processes, repo.os.clock, repo.os.random, repo.os.env};
  Workspace cut_off(os, repo.spec(mode));
  Workspace workspace(repo.os, repo.spec(mode));
  const auto sweep = [&](Status (Workspace::*step)(), auto undo, auto check) {
    for (int n = 0;; ++n) {
      CAPTURE(n);
      processes = {};
      processes.left = n;
      processes.after = after;
      if ((cut_off.*step)()) break;
      good((workspace.*step)());
      check();
      undo();
    }
  };
  const Path at = workspace.spec().worktree;
  sweep(
      &Workspace::prepare, [&] { good(workspace.unprepare()); },
      [&] {
        CHECK(TestRepo::read(at / "README") == "hello\n");
        CHECK(TestRepo::read(at / "loose") == "x");
      });
  sweep(
      &Workspace::unprepare, [&] { good(workspace.prepare()); },
      [&] {
        CHECK(!fs::exists(at));
        CHECK(repo.git({"for-each-ref", "refs/heads/bubble", "refs/pairflow"}) == "");
      });
}

TEST_CASE("prepare, unprepare: cut off before or after any git call, the next try completes it") {
  for (const bool after : {false, true})
    for (const auto mode : kModes) survives_interruption(mode, after);
}

TEST_CASE("prepare: a clone is made again when an earlier one was cut off") {
  TestRepo repo;
  Workspace workspace(repo.os, repo.spec(WorkMode::clone));
  const Path at = workspace.spec().worktree;
  fs::create_directories(at.string() + ".part/.git");
  TestRepo::write_at(at.string() + ".part/README", "half");
  fs::create_directories(at);
  good(workspace.prepare());
  CHECK(TestRepo::read(at / "README") == "hello\n");
  CHECK(!fs::exists(at.string() + ".part"));
}

TEST_CASE("prepare: work on the branch comes back when the directory was removed") {
  TestRepo repo;
  TestBubble bubble(repo);
  TestRepo::write_at(bubble.at / "new", "x\n");
  repo.git({"add", "-A"}, bubble.at);
  repo.git({"commit", "-q", "-m", "agent"}, bubble.at);
  fs::remove_all(bubble.at);
  good(bubble.workspace.prepare());
  CHECK(TestRepo::read(bubble.at / "new") == "x\n");
}

TEST_CASE("prepare: a directory made again holds the tree it is told, HEAD stays") {
  for (const auto mode : {WorkMode::worktree, WorkMode::clone}) {
    TestRepo repo;
    repo.write("gone", "x\n");
    repo.commit("second");
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "sub/new", "x\n");
    fs::remove(bubble.at / "gone");
    const TreeId tree = bubble.shot().tree;
    good(bubble.workspace.anchor("trees/" + tree.str(), tree.str()));
    fs::remove_all(bubble.at);
    auto spec = repo.spec(mode);
    spec.tree = tree;
    Workspace again(repo.os, spec);
    good(again.prepare());
    CHECK(TestRepo::read(bubble.at / "sub/new") == "x\n");
    CHECK(!fs::exists(bubble.at / "gone"));
    CHECK(good(again.snapshot(true)).tree == tree);
    CHECK(repo.git({"rev-parse", "HEAD"}, bubble.at) == repo.head());
    CHECK(repo.git({"status", "--porcelain", "-uall"}, bubble.at) == "D gone\n?? sub/new");
  }
}

void refuses_foreign(WorkMode mode) {
  TestRepo repo;
  Workspace workspace(repo.os, repo.spec(mode));
  const Path at = workspace.spec().worktree;
  SUBCASE("a directory with files") {
    TestRepo::write_at(at / "diary", "dear\n");
    bad(workspace.prepare(), Exit::refused);
    CHECK(TestRepo::read(at / "diary") == "dear\n");
    CHECK(!repo.git_ok({"rev-parse", "-q", "--verify", "bubble/one"}));
    good(workspace.unprepare());
    CHECK(TestRepo::read(at / "diary") == "dear\n");
  }
  SUBCASE("a file") {
    TestRepo::write_at(at, "x");
    bad(workspace.prepare(), Exit::refused);
  }
  SUBCASE("a link") {
    fs::create_directories(at.parent_path());
    fs::create_directories(repo.root() / "elsewhere");
    fs::create_directory_symlink(repo.root() / "elsewhere", at);
    bad(workspace.prepare(), Exit::refused);
    good(workspace.unprepare());
    CHECK(fs::is_symlink(at));
  }
  SUBCASE("another repository") {
    repo.git({"init", "-q", at.string()});
    bad(workspace.prepare(), Exit::refused);
    CHECK(fs::exists(at / ".git/HEAD"));
  }
  SUBCASE("a branch at another commit") {
    repo.commit("second");
    repo.git({"branch", "bubble/one", "HEAD"});
    repo.git({"reset", "-q", "--hard", "HEAD~1"});
    Workspace earlier(repo.os, repo.spec(mode));
    const auto error = bad(earlier.prepare(), Exit::refused);
    CHECK(error.what == "the branch 'bubble/one' exists already");
    CHECK(!fs::exists(at));
  }
}

TEST_CASE("prepare: what is not ours is refused and left alone") {
  refuses_foreign(WorkMode::worktree);
}
TEST_CASE("prepare: what is not ours is refused and left alone by a clone, too") {
  refuses_foreign(WorkMode::clone);
}

TEST_CASE("prepare: a worktree the user made at the bubble's place is refused") {
  TestRepo repo;
  Workspace workspace(repo.os, repo.spec());
  const Path at = workspace.spec().worktree;
  repo.git({"worktree", "add", "-q", at.string(), "-b", "bubble/one"});
  TestRepo::write_at(at / "mine", "x");
  bad(workspace.prepare(), Exit::refused);
  good(workspace.unprepare());
  CHECK(fs::exists(at / "mine"));
  CHECK(repo.git_ok({"rev-parse", "-q", "--verify", "bubble/one"}));
}

TEST_CASE("prepare: a branch checked out in the main worktree is refused") {
  TestRepo repo;
  repo.git({"checkout", "-q", "-b", "bubble/one"});
  Workspace workspace(repo.os, repo.spec());
  const auto error = bad(workspace.prepare(), Exit::refused);
  CHECK(error.why.find(repo.top.string()) != std::string::npos);
  good(workspace.unprepare());
  CHECK(repo.git_ok({"rev-parse", "-q", "--verify", "bubble/one"}));
}

TEST_CASE("prepare: only our own stale registration is repaired") {
  TestRepo repo;
  repo.git({"worktree", "add", "-q", "../theirs", "-b", "theirs"});
  fs::remove_all(repo.root() / "theirs");
  TestBubble bubble(repo);
  fs::remove_all(bubble.at);
  good(bubble.workspace.prepare());
  CHECK(fs::exists(repo.top / ".git/worktrees/theirs"));
}

TEST_CASE("prepare: no hook runs, also not one of a template or of the clone") {
  for (const auto mode : kModes) {
    TestRepo repo;
    const Path seen = repo.root() / "seen";
    const auto script = fmt::format("#!/bin/sh\necho ran > '{}'\n", seen.string());
    for (const Path& hooks : {repo.top / ".git/hooks", repo.root() / "template/hooks"}) {
      TestRepo::write_at(hooks / "post-checkout", script);
      fs::permissions(hooks / "post-checkout", fs::perms::all);
    }
    TestRepo::write_at(
        repo.root() / "home/.gitconfig",
        fmt::format("[init]\n\ttemplateDir = {}\n", (repo.root() / "template").string()));
    const TestBubble bubble(repo, mode);
    CHECK(!fs::exists(seen));
  }
}

TEST_CASE("prepare: the identity of the repository's own config works in the worktree") {
  for (const auto mode : kModes) {
    TestRepo repo;
    const TestBubble bubble(repo, mode);
    repo.git({"commit", "-q", "--allow-empty", "-m", "x"}, bubble.at);
    CHECK(repo.git({"log", "-1", "--format=%an <%ae>"}, bubble.at) == "Ada <ada@example.org>");
  }
}

TEST_CASE("prepare: a clone shares no object file and cannot push to its source") {
  TestRepo repo;
  const TestBubble bubble(repo, WorkMode::clone);
  for (const auto& file : fs::recursive_directory_iterator(bubble.at / ".git/objects"))
    if (file.is_regular_file()) CHECK(fs::hard_link_count(file.path()) == 1);
  CHECK(!fs::exists(bubble.at / ".git/objects/info/alternates"));
  repo.git({"commit", "-q", "--allow-empty", "-m", "x"}, bubble.at);
  CHECK(!repo.git_ok({"push", "-q", "origin", "HEAD:refs/heads/main"}, bubble.at));
  CHECK(repo.git({"rev-list", "--count", "main"}) == "1");
}

TEST_CASE("prepare: a sparse main checkout still gives whole bubbles") {
  TestRepo repo;
  repo.write("a/x", "1\n");
  repo.write("b/x", "1\n");
  repo.commit("two directories");
  repo.git({"sparse-checkout", "set", "a"});
  TestBubble bubble(repo);
  CHECK(fs::exists(bubble.at / "b/x"));
  CHECK(bubble.shot().changed.empty());
}

TEST_CASE("prepare: names with spaces, quotes and other scripts in the path") {
  TestRepo repo;
  auto spec = repo.spec();
  spec.worktree = repo.root() / "we irds'\"ünï" / "one";
  Workspace workspace(repo.os, spec);
  good(workspace.prepare());
  CHECK(good(workspace.exists()));
  CHECK(good(workspace.snapshot(true)).changed.empty());
}

TEST_CASE("unprepare: work that is in no ref is refused, a branch with commits is kept") {
  for (const auto mode : kModes) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "work", "x\n");
    bad(bubble.workspace.unprepare(), Exit::refused);
    CHECK(fs::exists(bubble.at / "work"));
    good(bubble.workspace.anchor("tree/1", bubble.shot().tree.str()));
    repo.git({"add", "-A"}, bubble.at);
    repo.git({"commit", "-q", "-m", "agent"}, bubble.at);
    if (mode == WorkMode::clone) {
      bad(bubble.workspace.unprepare(), Exit::refused);
      CHECK(good(bubble.workspace.salvage()).size() == 1);
    }
    good(bubble.workspace.unprepare());
    CHECK(!fs::exists(bubble.at));
    CHECK(repo.git_ok({"rev-parse", "-q", "--verify", "bubble/one"}) ==
          (mode == WorkMode::worktree));
  }
}

}  // namespace
}  // namespace pf
