#include <algorithm>

#include "git/test_repo.h"

namespace pf {
namespace {

constexpr auto kBothModes = {WorkMode::worktree, WorkMode::clone};

// Both sides changed other lines of one file; main has a new one, too.
void move_main(TestRepo& repo, std::string_view text = "one\n2\n3\n4\n5\n") {
  repo.write("file", text);
  repo.write("theirs", "new\n");
  repo.commit("meanwhile");
}
TestRepo& with_file(TestRepo& repo) {
  repo.write("file", "1\n2\n3\n4\n5\n");
  repo.write(".gitignore", "*.log\n");
  repo.commit("a file");
  return repo;
}
std::vector<std::string> sync(TestBubble& bubble, const SyncFact& fact) {
  auto lost = good(bubble.workspace.bring_files(fact.files, fact.merged));
  if (lost.empty()) good(bubble.workspace.rebase(fact.onto, fact.tip));
  return lost;
}

TEST_CASE("sync: files and branch go on top of the base, and only what the bubble did is changed") {
  for (const auto mode : kBothModes) {
    TestRepo repo;
    TestBubble bubble(with_file(repo), mode);
    TestRepo::write_at(bubble.at / "file", "1\n2\n3\n4\nfive\n");
    TestRepo::write_at(bubble.at / "ours", "mine\n");
    TestRepo::write_at(bubble.at / "a.log", "ignored\n");
    move_main(repo);
    const auto handed = bubble.shot().tree;
    const SyncFact fact = good(bubble.workspace.look_at_sync("main", handed));
    CHECK(fact.commits == 1);
    CHECK(fact.conflicts.empty());
    CHECK(fact.target == fact.merged);
    CHECK(fact.onto.str() == repo.head());
    CHECK(paths_of(fact.changed) == Texts{"M file", "A ours"});
    CHECK(sync(bubble, fact).empty());
    CHECK(TestRepo::read(bubble.at / "file") == "one\n2\n3\n4\nfive\n");
    CHECK(TestRepo::read(bubble.at / "theirs") == "new\n");
    CHECK(TestRepo::read(bubble.at / "a.log") == "ignored\n");
    CHECK(repo.git({"rev-parse", "bubble/one"}) == repo.head());
    CHECK(repo.git({"diff", "--cached", "--name-only"}, bubble.at).empty());
    WorkspaceSpec spec = bubble.workspace.spec();
    spec.base = fact.onto;
    Workspace after(repo.os, spec);
    for (const bool cold : {false, true}) {
      const TreeFact now = good(after.snapshot(cold));
      CHECK(now.tree == fact.merged);
      CHECK(paths_of(now.changed) == Texts{"M file", "A ours"});
    }
    CHECK(sync(bubble, fact).empty());  // once more is harmless
  }
}

TEST_CASE("sync: a conflict is marked, found by its marks, and the same each time") {
  TestRepo repo;
  TestBubble bubble(with_file(repo));
  TestRepo::write_at(bubble.at / "file", "uno\n2\n3\n4\n5\n");
  TestRepo::write_at(bubble.at / "fine", "<<<<<<< is how git begins\n");
  move_main(repo);
  const SyncFact fact = good(bubble.workspace.look_at_sync("main", {}));
  CHECK(fact.conflicts == Texts{"file"});
  CHECK_FALSE(fact.target);
  CHECK(good(bubble.workspace.look_at_sync("main", {})).merged == fact.merged);
  CHECK(sync(bubble, fact).empty());
  const std::string text = TestRepo::read(bubble.at / "file");
  CHECK(text.starts_with("<<<<<<< "));
  CHECK(text.contains("uno\n=======\none\n>>>>>>> "));
  CHECK(good(bubble.workspace.marked(fact.merged, {"file", "fine"})) == Texts{"file"});
  TestRepo::write_at(bubble.at / "file", "both\n2\n3\n4\n5\n");
  CHECK(good(bubble.workspace.marked(bubble.shot().tree, {"file", "fine"})).empty());
}

TEST_CASE("sync: a conflict in a file whose name is no text is found by its marks") {
  TestRepo repo;
  const std::string odd =
      "od\xff"
      "d [1]";
  repo.write(odd, "1\n");
  TestBubble bubble(with_file(repo));
  TestRepo::write_at(bubble.at / odd, "ours\n");
  repo.write(odd, "theirs\n");
  repo.commit("base moves");
  const SyncFact fact = good(bubble.workspace.look_at_sync("main", {}));
  REQUIRE(fact.conflicts == Texts{"\"od\\377d [1]\""});
  CHECK(good(bubble.workspace.marked(fact.merged, fact.conflicts)) == fact.conflicts);
  CHECK(good(bubble.workspace.marked(fact.onto_tree, fact.conflicts)).empty());
}

TEST_CASE("sync: what was edited in between, or is ignored and in the way, stops it untouched") {
  TestRepo repo;
  TestBubble bubble(with_file(repo));
  TestRepo::write_at(bubble.at / "ours", "mine\n");
  move_main(repo);
  repo.write("theirs.log", "tracked there\n");
  repo.git({"add", "-f", "theirs.log"});
  repo.commit("a log");
  TestRepo::write_at(bubble.at / "theirs.log", "ignored here\n");
  const SyncFact fact = good(bubble.workspace.look_at_sync("main", {}));
  CHECK(sync(bubble, fact) == Texts{"theirs.log"});
  std::filesystem::remove(bubble.at / "theirs.log");
  TestRepo::write_at(bubble.at / "file", "edited\n");
  CHECK(sync(bubble, fact) == Texts{"file"});
  CHECK(TestRepo::read(bubble.at / "file") == "edited\n");
  CHECK_FALSE(std::filesystem::exists(bubble.at / "theirs"));
  CHECK(repo.git({"rev-parse", "bubble/one"}) == bubble.workspace.spec().base.str());
}

TEST_CASE("sync: cut off in the middle of the files, it goes on") {
  TestRepo repo;
  TestBubble bubble(with_file(repo));
  TestRepo::write_at(bubble.at / "ours", "mine\n");
  move_main(repo);
  const SyncFact fact = good(bubble.workspace.look_at_sync("main", {}));
  TestRepo::write_at(bubble.at / "theirs", "ne");  // begun
  std::filesystem::remove(bubble.at / "file");     // about to be written
  CHECK(sync(bubble, fact).empty());
  CHECK(TestRepo::read(bubble.at / "file") == "one\n2\n3\n4\n5\n");
  CHECK(TestRepo::read(bubble.at / "theirs") == "new\n");
}

TEST_CASE("sync: commits on the bubble's branch are kept as salvage; nothing new is nothing") {
  TestRepo repo;
  TestBubble bubble(with_file(repo));
  CHECK(good(bubble.workspace.look_at_sync("main", {})).commits == 0);
  TestRepo::write_at(bubble.at / "ours", "mine\n");
  repo.git({"add", "-A"}, bubble.at);
  repo.git({"commit", "-q", "-m", "by hand"}, bubble.at);
  const std::string tip = repo.git({"rev-parse", "bubble/one"});
  move_main(repo);
  const SyncFact fact = good(bubble.workspace.look_at_sync("main", {}));
  CHECK(sync(bubble, fact).empty());
  CHECK(repo.git({"rev-parse", "bubble/one"}) == repo.head());
  CHECK(repo.git({"for-each-ref", "--contains", tip, "--format=%(refname)"})
            .starts_with("refs/pairflow/one/salvage/"));
  CHECK(bad(bubble.workspace.look_at_sync("gone", {}), Exit::refused).what.contains("gone"));
}

}  // namespace
}  // namespace pf
