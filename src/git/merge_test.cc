#include "git/test_repo.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// A bubble that has committed a change of `a` and a new `b/c`, to be merged into `main`.
struct FinishedBubble {
  TestRepo repo;
  std::unique_ptr<TestBubble> bubble;
  CommitId commit;

  void finish() {
    bubble = std::make_unique<TestBubble>(repo);
    TestRepo::write_at(bubble->at / "a", "theirs\n");
    TestRepo::write_at(bubble->at / "b/c", "theirs\n");
    commit = good(bubble->workspace.make_commit(
        {bubble->shot().tree, bubble->workspace.spec().base, "work\n"}));
    good(bubble->workspace.move_branch(commit, bubble->workspace.spec().base));
  }
  MergeFact look() { return good(bubble->workspace.look_at_merge(commit, "main")); }
  Result<CommitId> merge() { return bubble->workspace.merge(commit, "main", look()); }
  std::string status() { return repo.git({"status", "--porcelain"}); }
};

TEST_CASE("merge: files, index and branch go along; what is beside it stays") {
  FinishedBubble f;
  f.repo.write("a", "1\n");
  f.repo.write("mine", "1\n");
  f.repo.commit("base");
  f.finish();
  f.repo.write("mine", "2\n");
  f.repo.write("staged", "2\n");
  f.repo.git({"add", "staged"});
  SUBCASE("forward") {
    CHECK(good(f.merge()) == f.commit);
    CHECK(f.repo.head() == f.commit.str());
  }
  SUBCASE("by a merge, where the user wants one") {
    f.repo.git({"config", "merge.ff", "false"});
    good(f.merge());
    CHECK(f.repo.git({"log", "-1", "--format=%s %P"}) ==
          fmt::format("Merge branch 'bubble/one' {} {}", f.bubble->workspace.spec().base.str(),
                      f.commit.str()));
  }
  SUBCASE("cut off behind the files and the index") {
    f.repo.write("a", "theirs\n");
    f.repo.write("b/c", "theirs\n");
    f.repo.git({"add", "a", "b/c"});
    CHECK(f.look().dirty.empty());
    good(f.merge());
  }
  CHECK(f.status() == "M mine\nA  staged");
  CHECK(TestRepo::read(f.repo.top / "b/c") == "theirs\n");
  CHECK(f.look().contains);
}

TEST_CASE("merge: what it would overwrite is named, and nothing moves") {
  FinishedBubble f;
  f.repo.write("a", "1\n");
  f.repo.commit("base");
  const std::string base = f.repo.head();
  f.finish();
  const MergeFact clean = f.look();
  CHECK(clean.dirty.empty());
  f.repo.write("a", "mine\n");
  f.repo.write("b/c", "mine\n");
  CHECK(f.look().dirty == Texts{"a", "b/c"});
  const Error refused = bad(f.bubble->workspace.merge(f.commit, "main", clean), Exit::refused);
  CHECK(refused.why.contains("a, b/c"));
  CHECK(f.repo.head() == base);
  CHECK(f.status() == "M a\n?? b/");
}

TEST_CASE("merge: a branch that was moved meanwhile keeps its files") {
  FinishedBubble f;
  f.repo.write("a", "1\n");
  f.repo.commit("base");
  f.finish();
  const MergeFact fact = f.look();
  f.repo.write("other", "1\n");
  f.repo.commit("meanwhile");
  const std::string now = f.repo.head();
  CHECK(bad(f.bubble->workspace.merge(f.commit, "main", fact), Exit::refused)
            .what.contains("moved meanwhile"));
  CHECK(f.repo.head() == now);
  CHECK(f.status() == "");
  good(f.merge());
  CHECK(f.status() == "");
  CHECK(TestRepo::read(f.repo.top / "a") == "theirs\n");
}

TEST_CASE("merge: into a sparse checkout, and into a linked worktree") {
  FinishedBubble f;
  f.repo.write("a", "1\n");
  f.repo.write("b/d", "1\n");
  f.repo.write("in/x", "1\n");
  f.repo.commit("base");
  f.finish();
  SUBCASE("sparse") {
    f.repo.git({"sparse-checkout", "set", "in"});
    good(f.merge());
    CHECK(!fs::exists(f.repo.top / "b"));
    CHECK(TestRepo::read(f.repo.top / "a") == "theirs\n");
  }
  SUBCASE("linked") {
    const Path linked = f.repo.root() / "linked";
    f.repo.git({"checkout", "-q", "-b", "elsewhere"});
    f.repo.git({"worktree", "add", "-q", linked.string(), "main"});
    good(f.merge());
    CHECK(f.repo.git({"status", "--porcelain"}, linked) == "");
    CHECK(TestRepo::read(linked / "b/c") == "theirs\n");
    CHECK(TestRepo::read(f.repo.top / "a") == "1\n");
  }
  CHECK(f.status() == "");
  CHECK(f.look().contains);
}

TEST_CASE("merge: nothing that an agent wrote runs outside: filters, drivers, hooks") {
  FinishedBubble f;
  if (const auto sandbox = find_enforcement(f.repo.os); !sandbox.program) {
    MESSAGE("not run: " << sandbox.why_not);
    return;
  }
  const Path mark = f.repo.root() / "mark";
  f.repo.write("tool.sh", "cat\n");
  f.repo.write("hooks/post-merge", "#!/bin/sh\n");
  f.repo.write("a", "1\n2\n3\n4\n5\n");
  f.repo.write(".gitattributes", "a filter=x merge=x\n");
  f.repo.commit("base");
  f.repo.git({"config", "core.hooksPath", "hooks"});
  for (const char* key : {"filter.x.clean", "filter.x.smudge", "merge.x.driver"})
    f.repo.git({"config", key, "sh ./tool.sh"});
  f.finish();
  const std::string evil = fmt::format("#!/bin/sh\necho ran >>'{}'\ncat\n", mark.string());
  TestRepo::write_at(f.bubble->at / "tool.sh", evil);
  TestRepo::write_at(f.bubble->at / "hooks/post-merge", evil);
  f.commit = good(f.bubble->workspace.make_commit({f.bubble->shot().tree, f.commit, "evil\n"}));
  // The checkout has it already, as after an earlier merge.
  f.repo.write("tool.sh", evil);
  f.repo.write("hooks/post-merge", evil);
  fs::permissions(f.repo.top / "hooks/post-merge", fs::perms::owner_all);
  f.repo.commit("earlier");
  // As young as the index: git looks at such a file once more when it writes the index.
  fs::last_write_time(f.repo.top / "a", fs::file_time_type::clock::now() + std::chrono::hours(1));
  f.repo.git({"update-index", "--refresh"});
  REQUIRE(fs::exists(mark));  // the user's own git runs it
  fs::remove(mark);
  const auto merged = f.merge();
  CHECK(!fs::exists(mark));
  CHECK(good(merged).str().size() == 40);
  CHECK(TestRepo::read(f.repo.top / "a") == "theirs\n");
}

}  // namespace
}  // namespace pf
