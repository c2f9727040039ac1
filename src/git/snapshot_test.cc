#include <set>

#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;
constexpr auto kModes = {WorkMode::worktree, WorkMode::clone};

TEST_CASE("snapshot: an untouched worktree is the base's tree") {
  for (const auto mode : kModes) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    const auto fact = both(bubble);
    CHECK(fact.tree == fact.base_tree);
    CHECK(fact.base_tree.str() == repo.git({"rev-parse", "main^{tree}"}));
    CHECK(fact.tip.str() == repo.head());
    CHECK(fact.changed.empty());
  }
}

TEST_CASE("snapshot: added, edited, deleted, executable, linked and retyped files") {
  for (const auto mode : kModes) {
    TestRepo repo;
    for (const auto* name : {"edit", "gone", "run.sh", "becomes-link", "dir/deep/file"})
      repo.write(name, "1\n2\n");
    repo.commit("files");
    TestBubble bubble(repo, mode);
    both(bubble);
    TestRepo::write_at(bubble.at / "edit", "1\n3\n4\n");
    TestRepo::write_at(bubble.at / "new/file", "x\ny");
    TestRepo::write_at(bubble.at / "blob", std::string("\0\1\2", 3));
    fs::remove(bubble.at / "gone");
    fs::permissions(bubble.at / "run.sh", fs::perms(0755));
    fs::remove(bubble.at / "becomes-link");
    fs::create_symlink("/etc/passwd", bubble.at / "becomes-link");
    fs::remove_all(bubble.at / "dir");
    TestRepo::write_at(bubble.at / "dir", "now a file\n");
    const auto fact = both(bubble);
    CHECK(fact.changed == std::vector<ChangedFile>{{"becomes-link", "T", 1, 2, "120000"},
                                                   {"blob", "A", -1, -1, "100644"},
                                                   {"dir", "A", 1, 0, "100644"},
                                                   {"dir/deep/file", "D", 0, 2, "100644"},
                                                   {"edit", "M", 2, 1, "100644"},
                                                   {"gone", "D", 0, 2, "100644"},
                                                   {"new/file", "A", 2, 0, "100644"},
                                                   {"run.sh", "M", 0, 0, "100755"}});
    CHECK(repo.git({"cat-file", "-t", fact.tree.str()}) == "tree");
  }
}

TEST_CASE("snapshot: hostile names, and one that is not UTF-8") {
  TestRepo repo;
  TestBubble bubble(repo);
  const Texts names = {"--all",       "-",      ":(exclude)x", "a\nb", "a\tb", "quote\"'`$(id)",
                       "back\\slash", "sp ace", "ünï/ćödé",    "*",    "[x]",  "\033[31mred"};
  for (const auto& name : names) TestRepo::write_at(bubble.at / name, name);
  std::set<std::string> seen;
  for (const auto& file : both(bubble).changed) seen.insert(file.path);
  CHECK(seen == std::set<std::string>(names.begin(), names.end()));
  TestRepo::write_at(bubble.at / "\xff\"x", "");
  CHECK(paths_of(both(bubble).changed).back() == "A \"\\377\\\"x\"");
}

TEST_CASE("snapshot: neither the worktree's index nor its flags have a say") {
  TestRepo repo;
  repo.write("hidden", "1\n");
  repo.write("skipped", "1\n");
  repo.commit("files");
  TestBubble bubble(repo);
  repo.git({"update-index", "--assume-unchanged", "hidden"}, bubble.at);
  repo.git({"update-index", "--skip-worktree", "skipped"}, bubble.at);
  TestRepo::write_at(bubble.at / "hidden", "2\n");
  TestRepo::write_at(bubble.at / "skipped", "2\n");
  TestRepo::write_at(bubble.at / "staged-only", "x");
  repo.git({"add", "staged-only"}, bubble.at);
  fs::remove(bubble.at / "staged-only");
  const auto index = TestRepo::read(repo.top / ".git/worktrees/one/index");
  CHECK(paths_of(both(bubble).changed) == Texts{"M hidden", "M skipped"});
  CHECK(TestRepo::read(repo.top / ".git/worktrees/one/index") == index);
}

TEST_CASE("snapshot: configuration cannot hide an edit") {
  TestRepo repo;
  TestBubble bubble(repo);
  both(bubble);
  for (const auto* setting : {"core.ignoreStat", "core.sparseCheckout", "core.untrackedCache"})
    repo.git({"config", setting, "true"});
  repo.git({"config", "core.checkStat", "minimal"});
  repo.git({"config", "core.trustctime", "false"});
  const auto before = fs::last_write_time(bubble.at / "README");
  TestRepo::write_at(bubble.at / "README", "HELLO\n");
  fs::last_write_time(bubble.at / "README", before);
  CHECK(paths_of(both(bubble).changed) == Texts{"M README"});
}

TEST_CASE("snapshot: .gitignore and info/exclude are honoured") {
  for (const auto mode : kModes) {
    TestRepo repo;
    repo.write(".gitignore", "*.o\n");
    repo.commit("ignore");
    repo.write(".git/info/exclude", "private\n");
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "x.o", "");
    TestRepo::write_at(bubble.at / "private", "");
    TestRepo::write_at(bubble.at / "x.c", "");
    CHECK(paths_of(both(bubble).changed) == Texts{"A x.c"});
  }
}

TEST_CASE("snapshot: our own files can never enter it") {
  for (const bool excluded : {false, true}) {
    TestRepo repo;
    repo.write(".pairflow/config.toml", "tracked = true\n");
    repo.commit("the team's settings");
    if (excluded) good(exclude_control_directory(repo.os, repo.repository()));
    TestBubble bubble(repo);
    CHECK(both(bubble).changed.empty());
    TestRepo::write_at(bubble.at / ".pairflow/bubbles/x/state.json", "{}");
    TestRepo::write_at(bubble.at / ".pairflow/config.toml", "tracked = false\n");
    TestRepo::write_at(bubble.at / ".pairflow-not", "x");
    TestRepo::write_at(bubble.at / "work", "x");
    CHECK(paths_of(both(bubble).changed) == Texts{"A .pairflow-not", "A work"});
    fs::remove_all(bubble.at / ".pairflow");
    CHECK(paths_of(both(bubble).changed) == Texts{"A .pairflow-not", "A work"});
    TestRepo::write_at(bubble.at / ".pairflow", "now a file");
    CHECK(paths_of(both(bubble).changed) == Texts{"A .pairflow-not", "A work"});
  }
}

TEST_CASE("snapshot: a nested repository without a commit is refused by name") {
  TestRepo repo;
  TestBubble bubble(repo);
  TestRepo::write_at(bubble.at / "lib/x", "x");
  repo.git({"init", "-q"}, bubble.at / "lib");
  const auto error = bad(bubble.workspace.snapshot(false), Exit::machine);
  CHECK(error.why == "error: 'lib/' does not have a commit checked out");
}

TEST_CASE("snapshot: an unpopulated submodule is no change") {
  TestRepo repo;
  repo.git({"update-index", "--add", "--cacheinfo", "160000," + repo.head() + ",sub"});
  repo.git({"commit", "-q", "-m", "submodule"});
  TestBubble bubble(repo);
  CHECK(both(bubble).changed.empty());
}

TEST_CASE("snapshot: line ends and filters as the user's repository has them") {
  for (const auto mode : kModes) {
    TestRepo repo;
    repo.write(".gitattributes", "*.txt text eol=crlf\n*.up filter=upper\n");
    repo.write("a.txt", "1\n2\n");
    repo.commit("attributes");
    repo.git({"config", "filter.upper.clean", "tr a-z A-Z"});
    repo.git({"config", "core.safecrlf", "true"});
    TestBubble bubble(repo, mode);
    CHECK(TestRepo::read(bubble.at / "a.txt") == "1\r\n2\r\n");
    CHECK(both(bubble).changed.empty());
    TestRepo::write_at(bubble.at / "b.txt", "1\r\n");
    TestRepo::write_at(bubble.at / "c.up", "shout");
    const auto fact = both(bubble);
    CHECK(repo.git({"show", fact.tree.str() + ":c.up"}) == "SHOUT");
    CHECK(repo.git({"cat-file", "-s", fact.tree.str() + ":b.txt"}) == "2");
  }
}

void refuses_lost_directory(WorkMode mode) {
  TestRepo repo;
  auto spec = repo.spec(mode);
  spec.worktree = repo.top / "inside" / "one";  // an enclosing repository waits to be found
  Workspace workspace(repo.os, spec);
  good(workspace.prepare());
  good(workspace.snapshot(false));
  SUBCASE("removed") {
    fs::remove_all(spec.worktree);
    CHECK(bad(workspace.snapshot(false), Exit::machine).what.find("is gone") != std::string::npos);
  }
  SUBCASE("empty") {
    fs::remove_all(spec.worktree);
    fs::create_directories(spec.worktree);
    bad(workspace.snapshot(false), Exit::machine);
  }
  SUBCASE("its .git removed") {
    fs::remove_all(spec.worktree / ".git");
    bad(workspace.snapshot(false), Exit::machine);
  }
  SUBCASE("its .git of another repository") {
    fs::remove_all(spec.worktree / ".git");
    repo.git({"init", "-q"}, spec.worktree);
    bad(workspace.snapshot(true), Exit::machine);
  }
  SUBCASE("a link to another place") {
    fs::remove_all(spec.worktree);
    fs::create_directory_symlink(repo.top, spec.worktree);
    bad(workspace.snapshot(true), Exit::machine);
  }
  CHECK(!good(workspace.exists()));
}

TEST_CASE("snapshot: a worktree that is gone or not ours any more is never replaced by another") {
  refuses_lost_directory(WorkMode::worktree);
}
TEST_CASE("snapshot: a clone that is gone or not ours any more is never replaced by another") {
  refuses_lost_directory(WorkMode::clone);
}

TEST_CASE("snapshot: a missing branch says how to get it back") {
  TestRepo repo;
  TestBubble bubble(repo);
  repo.git({"update-ref", "-d", "refs/heads/bubble/one"});
  const auto error = bad(bubble.workspace.snapshot(false), Exit::machine);
  CHECK(error.what == "the branch 'bubble/one' is gone");
  CHECK(error.fix == "git branch bubble/one " + repo.head());
}

TEST_CASE("snapshot: an empty base, and one that is emptied") {
  TestRepo repo;
  repo.git({"rm", "-q", "-r", "."});
  repo.commit("nothing left");
  TestBubble bubble(repo);
  CHECK(both(bubble).changed.empty());
  TestRepo::write_at(bubble.at / "x", "");
  CHECK(paths_of(both(bubble).changed) == Texts{"A x"});
  fs::remove(bubble.at / "x");
  CHECK(both(bubble).changed.empty());
}

TEST_CASE("snapshot: an edit of the same size in the same second, with its old time") {
  TestRepo repo;
  TestBubble bubble(repo);
  const Path file = bubble.at / "README";
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1000);
  const auto write = [&](const char* text) {
    TestRepo::write_at(file, text);
    fs::last_write_time(file, old);
    return good(repo.os.files.info(file))->changed / 1'000'000'000;
  };
  bool tried = false;
  for (int i = 0; i < 50 && !tried; ++i) {
    const auto before = write("green\n");
    const TreeId green = bubble.shot().tree;
    tried = write("edder\n") == before;  // else the second was over
    CHECK(bubble.shot().tree != green);
  }
  CHECK(tried);
}

TEST_CASE("snapshot: two thousand files") {
  TestRepo repo;
  for (int i = 0; i < 1000; ++i) repo.write(fmt::format("old/{}/{}", i % 10, i), "x\n");
  repo.commit("many");
  TestBubble bubble(repo);
  for (int i = 0; i < 1000; ++i) TestRepo::write_at(bubble.at / fmt::format("new/{}", i), "y\n");
  fs::remove_all(bubble.at / "old/3");
  CHECK(both(bubble).changed.size() == 1100);
}

TEST_CASE("snapshot: a repository of SHA-256 objects, to the commit") {
  TestRepo repo;
  const Path top = repo.root() / "sha256";
  repo.git({"init", "-q", "-b", "main", "--object-format=sha256", top});
  repo.git(
      {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"},
      top);
  auto spec = repo.spec();
  spec.repository = {top, top / ".git"};
  spec.base = CommitId(repo.git({"rev-parse", "HEAD"}, top));
  repo.git({"config", "user.name", "a"}, top);
  repo.git({"config", "user.email", "a@b"}, top);
  Workspace workspace(repo.os, spec);
  good(workspace.prepare());
  TestRepo::write_at(spec.worktree / "new", "x");
  const auto fact = good(workspace.snapshot(false));
  CHECK(fact.tree.str().size() == 64);
  const auto commit = good(workspace.make_commit({fact.tree, spec.base, "x"}));
  good(workspace.move_branch(commit, spec.base));
}

}  // namespace
}  // namespace pf
