#include "git/test_repo.h"
#include "git/user_repository.h"

namespace pf {
namespace {

struct Site {
  TestRepo repo;
  std::unique_ptr<UserRepository> git = user_repository(repo.os, repo.spec(), "ours.json");
  std::string tree(const std::string& of) { return repo.git({"rev-parse", of + "^{tree}"}); }
  std::string read(const char* name) { return TestRepo::read(repo.top / name); }
  bool has(const char* name) { return std::filesystem::exists(repo.top / name); }
};

TEST_CASE("look: branches by pattern, what is not committed, what was begun") {
  Site s;
  s.repo.git({"branch", "feat/F001-a"});
  s.repo.git({"branch", "other"});
  s.repo.write("ours.json", "{}");
  s.repo.write(".pairflow/x", "");
  s.repo.write("new/a.txt", "a");
  s.repo.write("README", "changed\n");
  const auto fact = good(s.git->look("main", "*/F*"));
  CHECK(fact.branch == "main");
  CHECK(fact.at.str() == s.repo.head());
  CHECK(fact.find("feat/F001-a") != nullptr);
  CHECK(fact.find("other") == nullptr);
  CHECK(fact.dirty == Texts{"README", "new/a.txt"});
  CHECK(fact.unfinished.empty());
  s.repo.write(".git/MERGE_HEAD", s.repo.head());
  CHECK(good(s.git->look("main", "*/F*")).unfinished == "merge");
}

TEST_CASE("a snapshot has what git does not ignore, and what is asked for by force") {
  Site s;
  s.repo.write(".gitignore", "docs/current/\n*.log\n");
  s.repo.commit("rules");
  s.repo.write("docs/current/T01-a.md", "task");
  s.repo.write("x.log", "log");
  s.repo.write(".pairflow/secret", "");
  s.repo.write("a.txt", "a");
  const auto index = s.repo.git({"ls-files", "-s"});
  const std::string plain = good(s.git->snapshot({})).str();
  CHECK(s.repo.git({"ls-tree", "-r", "--name-only", plain}) == ".gitignore\nREADME\na.txt");
  const std::string forced = good(s.git->snapshot({"docs/current/"})).str();
  CHECK(good(s.git->file_of(forced, "docs/current/T01-a.md")) == "task");
  CHECK(good(s.git->file_of(forced, "docs")) == std::nullopt);
  CHECK(s.repo.git({"ls-files", "-s"}) == index);  // the user's own index is left alone
}

TEST_CASE("a sparse checkout: what it leaves out counts as unchanged, and stays left out") {
  Site s;
  s.repo.write("a/x.txt", "x");
  s.repo.write("b/y.txt", "y");
  s.repo.commit("two");
  const std::string two = s.repo.head();
  s.repo.write("a/x.txt", "x2");
  s.repo.write("b/y.txt", "y2");
  s.repo.write("b/z.txt", "z2");
  s.repo.commit("three");
  const std::string three = s.repo.head();
  s.repo.git({"sparse-checkout", "set", "a"});
  REQUIRE_FALSE(s.has("b/y.txt"));
  CHECK(good(s.git->dirty()).empty());
  CHECK(good(s.git->snapshot({})).str() == s.tree(three));
  s.repo.write("a/new.txt", "new");
  CHECK(good(s.git->dirty()) == Texts{"a/new.txt"});
  const std::string shot = good(s.git->snapshot({})).str();
  CHECK(s.repo.git({"diff", "--name-status", three, shot}) == "A\ta/new.txt");
  SUBCASE("files that are taken for unchanged are looked at all the same") {
    s.repo.git({"update-index", "--assume-unchanged", "a/x.txt"});
    s.repo.write("a/x.txt", "mine");
    CHECK(good(s.git->dirty()) == Texts{"a/x.txt", "a/new.txt"});
    return;
  }
  for (const std::string& to : {two, three}) {
    CHECK(good(s.git->carry(shot, to, {})).empty());
    good(s.git->set_index(s.repo.top, to));
    s.repo.git({"update-ref", "HEAD", to});
    CHECK_FALSE(s.has("b"));
    CHECK_FALSE(s.has("a/new.txt"));
    CHECK(s.repo.git({"status", "--porcelain"}) == "");
    if (to == two) CHECK(s.read("a/x.txt") == "x");
    good(s.git->carry(to, shot, {}));
  }
}

TEST_CASE("a tree is edited as an object") {
  Site s;
  s.repo.write("docs/current/a.md", "a");
  s.repo.write("docs/current/deep/b.md", "b");
  s.repo.commit("docs");
  const TreeId tree = good(s.git->edited(
      "HEAD", {{"docs/current/", std::nullopt}, {"docs/new.md", "new\n"}, {"README", "r"}}));
  CHECK(s.repo.git({"ls-tree", "-r", "--name-only", tree.str()}) == "README\ndocs/new.md");
  CHECK(good(s.git->file_of(tree.str(), "README")) == "r");
  CHECK(s.has("docs/current/a.md"));
}

TEST_CASE("carry changes only what is known to be kept, and never our own file") {
  Site s;
  const std::string first = s.repo.head();
  s.repo.write("a.txt", "a");
  s.repo.write("ours.json", "committed");
  s.repo.commit("second");
  const std::string second = s.repo.head();
  s.repo.write("ours.json", "live");
  s.repo.write("a.txt", "edited");
  SUBCASE("an edited file is named and nothing is changed") {
    CHECK(good(s.git->carry(second, first, {})) == Texts{"a.txt"});
    CHECK(s.read("a.txt") == "edited");
  }
  SUBCASE("kept by a snapshot, it goes") {
    const std::string kept = good(s.git->snapshot({})).str();
    CHECK(good(s.git->carry(kept, first, {})).empty());
    CHECK_FALSE(s.has("a.txt"));
    CHECK(s.read("ours.json") == "live");
    CHECK(good(s.git->carry(kept, first, {})).empty());  // again, as after a kill
    CHECK(good(s.git->carry(first, second, {})).empty());
    CHECK(s.read("a.txt") == "a");
  }
}

TEST_CASE("carry refuses what an ignored file stands in the way of") {
  Site s;
  const std::string first = s.repo.head();
  s.repo.write("a.txt", "a");
  s.repo.commit("second");
  const std::string second = s.repo.head();
  CHECK(good(s.git->carry(second, first, {})).empty());
  good(s.git->set_index(s.repo.top, first));
  s.repo.git({"reset", "-q", "--soft", first});
  s.repo.write(".git/info/exclude", "a.txt\n");
  s.repo.write("a.txt", "precious");
  CHECK(good(s.git->carry(first, second, {})) == Texts{"a.txt"});
  CHECK(s.read("a.txt") == "precious");
}

TEST_CASE("the index and HEAD follow; files stay") {
  Site s;
  s.repo.write("a.txt", "a");
  s.repo.commit("second");
  s.repo.git({"branch", "old", "HEAD~1"});
  good(s.git->set_index(s.repo.top, "HEAD~1"));
  good(s.git->set_head("old"));
  CHECK(good(s.git->branch()) == "old");
  CHECK(s.repo.git({"status", "--porcelain"}) == "?? a.txt");
  CHECK(good(s.git->checkout_with("old")) == s.repo.top);
  CHECK(good(s.git->checkout_with("main")).empty());
}

}  // namespace
}  // namespace pf
