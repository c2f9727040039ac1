#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;
constexpr auto kModes = {WorkMode::worktree, WorkMode::clone};

std::string object_of(TestRepo& repo, const std::string& ref) {
  return repo.git({"for-each-ref", "--format=%(objectname)", ref});
}

TEST_CASE("commit: exactly the tree, on the base, moved by compare-and-swap") {
  for (const auto mode : kModes) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "new", "x\n");
    const auto fact = bubble.shot(true);
    const std::string message = "Add a file\n\nÄ reason, \"quoted\".\n# no comment\n";
    const CommitId base = bubble.workspace.spec().base;
    const auto commit = good(bubble.workspace.make_commit({fact.tree, base, message}));
    CHECK(object_of(repo, "refs/heads/bubble/one") == base.str());
    CHECK(repo.git({"rev-parse", commit.str() + "^{tree}"}) == fact.tree.str());
    CHECK(repo.git({"rev-parse", commit.str() + "^"}) == base.str());
    CHECK(repo.git({"log", "-1", "--format=%an %ae %cn", commit.str()}) ==
          "Ada ada@example.org Ada");
    CHECK(repo.git({"log", "-1", "--format=%B", commit.str()}) + "\n" == message);

    bad(bubble.workspace.move_branch(commit, commit), Exit::refused);
    good(bubble.workspace.move_branch(commit, base));
    good(bubble.workspace.move_branch(commit, base));
    CHECK(object_of(repo, "refs/heads/bubble/one") == commit.str());
    CHECK(good(bubble.workspace.tip()) == commit);
    CHECK(repo.git({"status", "--porcelain"}, bubble.at) != "");
    good(bubble.workspace.refresh_index());
    CHECK(repo.git({"status", "--porcelain"}, bubble.at) == "");
    CHECK(TestRepo::read(bubble.at / "new") == "x\n");
  }
}

TEST_CASE("commit: without an identity the fix is named, and nothing is guessed") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.git({"config", "--unset", "user.email"});
  const auto error =
      bad(bubble.workspace.make_commit({bubble.shot().tree, bubble.workspace.spec().base, "x"}),
          Exit::machine);
  CHECK(error.what == "git does not know who commits");
  CHECK(error.fix.find("git config user.name") != std::string::npos);
}

TEST_CASE("commit: signing, templates and hooks of the user are not in the way") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.git({"config", "commit.gpgSign", "true"});
  repo.git({"config", "gpg.program", "false"});
  repo.write(".git/hooks/reference-transaction", "#!/bin/sh\nexit 1\n");
  fs::permissions(repo.top / ".git/hooks/reference-transaction", fs::perms::all);
  const CommitId base = bubble.workspace.spec().base;
  const auto commit = good(bubble.workspace.make_commit({bubble.shot().tree, base, "x"}));
  good(bubble.workspace.move_branch(commit, base));
}

TEST_CASE("commit: a tree that is not there is an error, not a commit") {
  TestRepo repo;
  TestBubble bubble(repo);
  const CommitId base = bubble.workspace.spec().base;
  const auto error =
      bad(bubble.workspace.make_commit({TreeId(std::string(40, 'a')), base, "x"}), Exit::machine);
  CHECK(error.what == "cannot make the commit");
  bad(bubble.workspace.make_commit({TreeId("HEAD"), base, "x"}), Exit::usage);
}

TEST_CASE("move_branch: a tip that somebody moved is refused and can be squashed") {
  for (const auto mode : kModes) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "new", "x\n");
    repo.git({"add", "-A"}, bubble.at);
    repo.git({"commit", "-q", "-m", "agent"}, bubble.at);
    const auto moved = good(bubble.workspace.tip());
    const CommitId base = bubble.workspace.spec().base;
    CHECK(moved != base);
    CHECK(bubble.shot().tip == moved);
    const auto commit = good(bubble.workspace.make_commit({bubble.shot().tree, base, "squashed"}));
    const auto error = bad(bubble.workspace.move_branch(commit, base), Exit::refused);
    CHECK(error.why.find(moved.str()) != std::string::npos);
    CHECK(good(bubble.workspace.tip()) == moved);

    const auto kept = good(bubble.workspace.salvage());
    REQUIRE(kept == Texts{"refs/pairflow/one/salvage/1"});
    CHECK(object_of(repo, kept[0]) == moved.str());
    good(bubble.workspace.move_branch(commit, moved));
    CHECK(object_of(repo, "refs/heads/bubble/one") == commit.str());
  }
}

TEST_CASE("move_branch: a clone moved before a crash is finished in the main repository") {
  TestRepo repo;
  TestBubble bubble(repo, WorkMode::clone);
  TestRepo::write_at(bubble.at / "new", "x\n");
  const CommitId base = bubble.workspace.spec().base;
  const auto commit = good(bubble.workspace.make_commit({bubble.shot().tree, base, "x"}));
  good(bubble.workspace.move_branch(commit, base));
  repo.git({"update-ref", "refs/heads/bubble/one", base.str()});
  good(bubble.workspace.move_branch(commit, base));
  CHECK(object_of(repo, "refs/heads/bubble/one") == commit.str());
}

TEST_CASE("move_branch: a branch that is gone is refused") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.commit("other");
  repo.git({"update-ref", "-d", "refs/heads/bubble/one"});
  const CommitId base = bubble.workspace.spec().base;
  const auto error = bad(bubble.workspace.move_branch(CommitId(repo.head()), base), Exit::refused);
  CHECK(error.why.find("gone") != std::string::npos);
}

TEST_CASE("anchor: an approved tree outlives gc --prune=now, and anchoring twice is harmless") {
  for (const auto mode : kModes) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "dir/new", "precious\n");
    const auto tree = bubble.shot().tree.str();
    good(bubble.workspace.anchor("tree/1", tree));
    good(bubble.workspace.anchor("tree/1", tree));
    fs::remove_all(bubble.at / "dir");
    const auto lost = [&] {
      TestRepo::write_at(bubble.at / "lost", "loose\n");
      return bubble.shot().tree.str();
    }();
    repo.git({"gc", "-q", "--prune=now"});
    CHECK(repo.git({"show", tree + ":dir/new"}) == "precious");
    CHECK(!repo.git_ok({"cat-file", "-e", lost}));
    CHECK(bubble.shot().tree.str() == lost);
    const auto commit =
        good(bubble.workspace.make_commit({TreeId(tree), bubble.workspace.spec().base, "late"}));
    CHECK(repo.git({"show", commit.str() + ":dir/new"}) == "precious");
    bad(bubble.workspace.anchor("../../heads/x", tree), Exit::machine);
    bad(bubble.workspace.anchor("tree/2", "main"), Exit::usage);
  }
}

TEST_CASE("anchor: a commit made in the clone comes to the main repository") {
  TestRepo repo;
  TestBubble bubble(repo, WorkMode::clone);
  TestRepo::write_at(bubble.at / "new", "x\n");
  repo.git({"add", "-A"}, bubble.at);
  repo.git({"commit", "-q", "-m", "agent"}, bubble.at);
  const auto tip = good(bubble.workspace.tip()).str();
  CHECK(!repo.git_ok({"cat-file", "-e", tip}));
  good(bubble.workspace.anchor("tip", tip));
  fs::remove_all(bubble.at);
  CHECK(repo.git({"show", "refs/pairflow/one/tip:new"}) == "x");
}

TEST_CASE("salvage: nothing for a bubble without work, files as a commit on the tip") {
  for (const auto mode : kModes) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    CHECK(good(bubble.workspace.salvage()) == Texts{});
    TestRepo::write_at(bubble.at / "new", "x\n");
    repo.git({"config", "--unset", "user.email"});
    const Texts first = {"refs/pairflow/one/salvage/1"};
    CHECK(good(bubble.workspace.salvage()) == first);
    CHECK(good(bubble.workspace.salvage()) == first);
    CHECK(repo.git({"log", "-1", "--format=%s", first[0]}) == "salvage of one");
    CHECK(repo.git({"rev-parse", first[0] + "^"}) == repo.head());
    CHECK(repo.git({"show", first[0] + ":new"}) == "x");
    TestRepo::write_at(bubble.at / "new", "y\n");
    CHECK(good(bubble.workspace.salvage()) == Texts{"refs/pairflow/one/salvage/2"});
    good(bubble.workspace.unprepare());
    CHECK(repo.git({"show", "refs/pairflow/one/salvage/2:new"}) == "y");
  }
}

TEST_CASE("salvage: commits that another branch holds need none") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.git({"commit", "-q", "--allow-empty", "-m", "agent"}, bubble.at);
  repo.git({"merge", "-q", "bubble/one"});
  CHECK(good(bubble.workspace.salvage()) == Texts{});
}

TEST_CASE("salvage: a detached HEAD, and every branch and stash of a clone") {
  SUBCASE("worktree") {
    TestRepo repo;
    TestBubble bubble(repo);
    repo.git({"checkout", "-q", "--detach"}, bubble.at);
    repo.git({"commit", "-q", "--allow-empty", "-m", "loose"}, bubble.at);
    bad(bubble.workspace.unprepare(), Exit::refused);
    CHECK(good(bubble.workspace.salvage()).size() == 1);
    good(bubble.workspace.unprepare());
  }
  SUBCASE("clone") {
    TestRepo repo;
    TestBubble bubble(repo, WorkMode::clone);
    TestRepo::write_at(bubble.at / "README", "stashed\n");
    repo.git({"stash", "-q"}, bubble.at);
    repo.git({"checkout", "-q", "-b", "side"}, bubble.at);
    repo.git({"commit", "-q", "--allow-empty", "-m", "side"}, bubble.at);
    bad(bubble.workspace.unprepare(), Exit::refused);
    CHECK(good(bubble.workspace.salvage()).size() == 2);
    good(bubble.workspace.unprepare());
  }
}

TEST_CASE("salvage: of a bubble whose directory is gone the branch is what is left") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.git({"commit", "-q", "--allow-empty", "-m", "agent"}, bubble.at);
  const auto tip = good(bubble.workspace.tip()).str();
  fs::remove_all(bubble.at);
  const auto refs = good(bubble.workspace.salvage());
  REQUIRE(refs.size() == 1);
  CHECK(object_of(repo, refs[0]) == tip);
}

TEST_CASE("unprepare: a nested repository is not thrown away") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.git({"init", "-q", "lib"}, bubble.at);
  repo.git(
      {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"},
      bubble.at / "lib");
  good(bubble.workspace.salvage());
  const auto error = bad(bubble.workspace.unprepare(), Exit::refused);
  CHECK(error.what == "'lib' is a repository of its own");
}

}  // namespace
}  // namespace pf
