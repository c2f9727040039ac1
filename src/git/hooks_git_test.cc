#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// A directory with the tree's files, and the git that hooks find there.
struct HooksPlace {
  TestBubble& bubble;
  Path at;
  TreeId tree;
  HooksPlace(TestRepo& repo, TestBubble& of)
      : bubble(of), at(repo.root() / "hooks"), tree(of.shot().tree) {
    good(bubble.workspace.check_out(tree, at));
    give_git();
  }
  void give_git() {
    good(bubble.workspace.make_hooks_git(at / ".git", at / ".git", bubble.workspace.spec().base,
                                         tree));
  }
};

TEST_CASE("hooks' git: it is as before the tree is committed") {
  for (const auto mode : {WorkMode::worktree, WorkMode::clone}) {
    TestRepo repo;
    TestBubble bubble(repo, mode);
    TestRepo::write_at(bubble.at / "new", "x\n");
    HooksPlace place(repo, bubble);
    const CommitId base = bubble.workspace.spec().base;
    CHECK(repo.git({"rev-parse", "HEAD"}, place.at) == base.str());
    CHECK(repo.git({"symbolic-ref", "--short", "HEAD"}, place.at) == "bubble/one");
    CHECK(repo.git({"diff", "--cached", "--name-only"}, place.at) == "new");
    CHECK(repo.git({"diff", "--name-only"}, place.at).empty());
    CHECK(repo.git({"config", "user.name"}, place.at) == "Ada");

    // What is done there stays there.
    repo.git({"commit", "-q", "-m", "by a hook"}, place.at);
    repo.git({"config", "core.fsmonitor", "evil"}, place.at);
    CHECK(good(bubble.workspace.tip()) == base);
    place.give_git();
    CHECK(repo.git({"rev-parse", "HEAD"}, place.at) == base.str());
    CHECK_FALSE(repo.git_ok({"config", "core.fsmonitor"}, place.at));
  }
}

TEST_CASE("hooks' files: changed, new and removed ones make another tree, ignored ones none") {
  TestRepo repo;
  repo.write(".gitignore", "*.log\n");
  repo.commit("ignore");
  TestBubble bubble(repo);
  HooksPlace place(repo, bubble);
  const Path& to = place.at;
  TestRepo::write_at(to / "a.log", "x\n");
  CHECK(good(bubble.workspace.tree_in(to, place.tree)) == place.tree);
  // Whatever an index or an exclude file of its own says.
  repo.git({"update-index", "--assume-unchanged", "README"}, to);
  TestRepo::write_at(to / ".git/info/exclude", "*\n");
  TestRepo::write_at(to / "README", "other\n");
  TestRepo::write_at(to / "new", "x\n");
  fs::remove(to / ".gitignore");
  const TreeId now = good(bubble.workspace.tree_in(to, place.tree));
  CHECK(paths_of(good(bubble.workspace.changed(place.tree.str(), now.str()))) ==
        Texts{"D .gitignore", "M README", "A a.log", "A new"});
  CHECK(good(bubble.workspace.has_path(now, "new")));
  CHECK_FALSE(good(bubble.workspace.has_path(now, ".gitignore")));
}

TEST_CASE("hooks: where git finds the hooks") {
  TestRepo repo;
  TestBubble bubble(repo);
  CHECK(good(bubble.workspace.hooks_path()) == repo.top / ".git" / "hooks");
  repo.git({"config", "core.hooksPath", ".husky/_"});
  CHECK(good(bubble.workspace.hooks_path()) == ".husky/_");
  repo.git({"config", "core.hooksPath", "~/hooks"});
  CHECK(good(bubble.workspace.hooks_path()) == repo.root() / "home" / "hooks");
}

}  // namespace
}  // namespace pf
