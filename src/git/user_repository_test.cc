// What git and its model promise alike.
#include "git/user_repository.h"

#include "git/fake/user_repository.h"
#include "git/test_repo.h"
#include "os/fake/files.h"

namespace pf {
namespace {

const std::string kOurs = "docs/ours.json";

struct RealSite {
  TestRepo repo;
  Files& files = repo.os.files;
  Path top = repo.top;
  std::unique_ptr<UserRepository> git = user_repository(repo.os, repo.spec(), kOurs);
};

struct ModelSite {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles fake{disk, clock, 1};
  Files& files = fake;
  Path top = "/repo";
  FakeGitDirectory directory;
  std::unique_ptr<UserRepository> git =
      std::make_unique<FakeUserRepository>(fake, top, directory, kOurs);

  ModelSite() {
    good(files.make_directories(top / ".git"));
    good(files.replace(top / "README", "hello\n", Durable::yes));
    directory.index = directory.add({{"README", "hello\n"}});
    directory.refs["refs/heads/main"] = directory.add({directory.index, {}, "first"}).str();
  }
};

template <class Kind>
struct Site : Kind {
  CommitId first = good(this->git->head());

  void write(const std::string& path, const std::string& text) {
    good(this->files.make_directories((this->top / path).parent_path()));
    good(this->files.replace(this->top / path, text, Durable::no));
  }
  std::string read(const std::string& path) {
    return good(this->files.read_if_there(this->top / path)).value_or("(none)");
  }
  std::string at(const std::string& branch) {
    return good(this->git->ref("refs/heads/" + branch)).value_or("(none)");
  }
  std::string file(const std::string& treeish, const std::string& path) {
    return good(this->git->file_of(treeish, path)).value_or("(none)");
  }
  void point(const std::string& branch, const CommitId& at) {
    good(this->git->set_ref("refs/heads/" + branch, at.str(), std::nullopt));
  }
  CommitId commit(const CommitId& parent, const std::vector<TreeEdit>& edits,
                  const std::string& message = "more\n") {
    return good(this->git->make_commit(
        {good(this->git->edited(parent.str(), edits)), parent, message}, {}));
  }
  // One that is staged and changed since may be named twice.
  std::set<std::string> dirty() {
    const auto paths = good(this->git->dirty());
    return {paths.begin(), paths.end()};
  }
  // The files as they are, on the branch that is checked out.
  CommitId commit_files() {
    const CommitId made = good(this->git->make_commit(
        {good(this->git->snapshot({})), good(this->git->head()), "files\n"}, {}));
    point(good(this->git->branch()), made);
    good(this->git->set_index(this->top, made.str()));
    return made;
  }
};

TEST_CASE_TEMPLATE("refs move by compare-and-swap", Kind, RealSite, ModelSite) {
  Site<Kind> s;
  const CommitId next = s.commit(s.first, {{"a", "a"}});
  CHECK(s.at("feat/F001-a") == "(none)");
  good(s.git->set_ref("refs/heads/feat/F001-a", s.first.str(), ""));
  CHECK_FALSE(s.git->set_ref("refs/heads/feat/F001-a", next.str(), ""));
  CHECK_FALSE(s.git->set_ref("refs/heads/feat/F001-a", next.str(), next.str()));
  CHECK(s.at("feat/F001-a") == s.first.str());
  good(s.git->set_ref("refs/heads/feat/F001-a", next.str(), s.first.str()));
  CHECK(s.at("feat/F001-a") == next.str());
  good(s.git->set_ref("refs/pairflow/x/kept", s.first.str(), std::nullopt));
  CHECK(s.file("refs/pairflow/x/kept", "README") == "hello\n");
}

TEST_CASE_TEMPLATE("trees are edited and looked at as objects", Kind, RealSite, ModelSite) {
  Site<Kind> s;
  const TreeId many =
      good(s.git->edited(s.first.str(), {{"docs/a/x", "x"}, {"docs/a/b/y", "y"}, {"docs/z", "z"}}));
  const TreeId few = good(
      s.git->edited(many.str(), {{"docs/a/", std::nullopt}, {"README", std::nullopt}, {"n", "n"}}));
  CHECK(s.file(many.str(), "docs/a/b/y") == "y");
  CHECK(s.file(many.str(), "docs/a") == "(none)");
  CHECK(s.file(few.str(), "docs/a/b/y") == "(none)");
  CHECK(s.file(few.str(), "README") == "(none)");
  CHECK(s.file(few.str(), "docs/z") == "z");
  CHECK(good(s.git->edited(few.str(), {})) == few);
  const CommitId made = good(s.git->make_commit({few, s.first, "few\n"}, {}));
  CHECK(good(s.git->tree_of(made.str())) == few);
  CHECK_FALSE(s.git->file_of(std::string(40, '1'), "README"));
  CHECK(s.read("docs/z") == "(none)");
}

TEST_CASE_TEMPLATE("merges: where two come from, what both changed", Kind, RealSite, ModelSite) {
  Site<Kind> s;
  const CommitId base = s.commit(s.first, {{"both", "1\n"}, {"mine", "1\n"}, {"gone", "1\n"}});
  const CommitId ours = s.commit(base, {{"both", "2\n"}, {"mine", "2\n"}});
  const CommitId theirs = s.commit(base, {{"both", "3\n"}, {"new", "3\n"}, {"gone", std::nullopt}});
  CHECK(good(s.git->merge_base(ours, theirs)) == base);
  CHECK(good(s.git->is_ancestor(base, ours)));
  CHECK(good(s.git->is_ancestor(ours, ours)));
  CHECK_FALSE(good(s.git->is_ancestor(ours, theirs)));
  const MergedTree torn = good(s.git->merge_trees(ours, theirs));
  CHECK(torn.conflicts == Texts{"both"});
  CHECK(s.file(torn.tree, "new") == "3\n");
  const CommitId agreed = s.commit(theirs, {{"both", "2\n"}});
  const MergedTree merged = good(s.git->merge_trees(ours, agreed));
  CHECK(merged.conflicts.empty());
  CHECK(s.file(merged.tree, "mine") == "2\n");
  CHECK(s.file(merged.tree, "new") == "3\n");
  CHECK(s.file(merged.tree, "gone") == "(none)");
  const CommitId both = good(s.git->make_commit({TreeId(merged.tree), ours, "merge"}, agreed));
  CHECK(good(s.git->is_ancestor(ours, both)));
  CHECK(good(s.git->is_ancestor(agreed, both)));
  CHECK(good(s.git->merge_base(both, theirs)) == theirs);
}

TEST_CASE_TEMPLATE("look: branches, what is checked out and what is not committed", Kind, RealSite,
                   ModelSite) {
  Site<Kind> s;
  const CommitId next = s.commit(s.first, {{"a", "a"}});
  s.point("feat/F001-a", s.first);
  s.point("fix/F002-b", next);
  s.point("feat/other", next);
  s.write("README", "changed\n");
  s.write("new/a.txt", "a");
  s.write(kOurs, "{}");
  s.write(".pairflow/x", "x");
  const RepositoryFact fact = good(s.git->look("main", "*/F*"));
  CHECK(fact.branch == "main");
  CHECK(fact.at == s.first);
  CHECK(fact.branches.size() == 3);
  CHECK(fact.find("main")->tip == s.first);
  CHECK(fact.find("feat/F001-a")->merged);
  CHECK_FALSE(fact.find("fix/F002-b")->merged);
  CHECK(fact.dirty == Texts{"README", "new/a.txt"});
  CHECK(good(s.git->dirty()) == fact.dirty);
  CHECK(fact.unfinished.empty());
  CHECK(good(s.git->checkout_with("main")) == s.top);
  CHECK(good(s.git->checkout_with("fix/F002-b")).empty());
  CHECK(good(s.git->checkout_with("none")).empty());
}

TEST_CASE_TEMPLATE("a merge is looked at where it would be made", Kind, RealSite, ModelSite) {
  Site<Kind> s;
  const CommitId next = s.commit(s.first, {{"README", "theirs\n"}});
  s.write("new", "not committed");
  MergeFact fact = good(s.git->look_at_merge(next, "main"));
  CHECK(fact.base == s.first);
  CHECK_FALSE(fact.contains);
  CHECK(Path(fact.checkout) == s.top);
  CHECK(fact.dirty.empty());
  CHECK(fact.conflicts.empty());
  s.write("README", "mine\n");
  CHECK(good(s.git->look_at_merge(next, "main")).dirty == Texts{"README"});
  s.commit_files();
  fact = good(s.git->look_at_merge(next, "main"));
  CHECK(fact.dirty.empty());
  CHECK(fact.conflicts == Texts{"README"});
  CHECK(good(s.git->look_at_merge(s.first, "main")).contains);
  bad(s.git->look_at_merge(next, "none"), Exit::refused);
}

TEST_CASE_TEMPLATE("a snapshot has the files, without ours of .pairflow", Kind, RealSite,
                   ModelSite) {
  Site<Kind> s;
  s.write("deep/a.txt", "a");
  s.write(kOurs, "{}");
  s.write(".pairflow/x", "x");
  const std::string shot = good(s.git->snapshot({})).str();
  CHECK(s.file(shot, "deep/a.txt") == "a");
  CHECK(s.file(shot, kOurs) == "{}");
  CHECK(s.file(shot, ".pairflow/x") == "(none)");
  CHECK(good(s.git->snapshot({"deep/"})).str() == shot);
}

TEST_CASE_TEMPLATE("carry changes what is known to be kept, and never our own file", Kind, RealSite,
                   ModelSite) {
  Site<Kind> s;
  s.write("a.txt", "a");
  s.write(kOurs, "committed");
  const CommitId second = s.commit_files();
  s.write(kOurs, "live");
  s.write("a.txt", "edited");
  s.write("new.txt", "new");
  CHECK(good(s.git->carry(second.str(), s.first.str(), {})) == Texts{"a.txt", "new.txt"});
  CHECK(s.read("a.txt") == "edited");
  const std::string kept = good(s.git->snapshot({})).str();
  for (int i = 0; i < 2; ++i) CHECK(good(s.git->carry(kept, s.first.str(), {})).empty());
  CHECK(s.read("a.txt") == "(none)");
  CHECK(s.read("new.txt") == "(none)");
  CHECK(s.read(kOurs) == "live");
  CHECK(good(s.git->carry(s.first.str(), second.str(), {})).empty());
  CHECK(s.read("a.txt") == "a");
  CHECK(s.read(kOurs) == "live");
  CHECK(good(s.git->ignored_here_alone(s.first.str())).empty());
}

TEST_CASE_TEMPLATE("follow changes what differs between two trees and leaves the rest", Kind,
                   RealSite, ModelSite) {
  Site<Kind> s;
  s.write("a.txt", "a");
  s.write("b.txt", "b");
  const CommitId from = s.commit_files();
  const CommitId to =
      s.commit(from, {{"a.txt", "a2"}, {"b.txt", std::nullopt}, {"c.txt", "c"}, {kOurs, "theirs"}});
  s.write("README", "mine\n");
  s.write(kOurs, "live");
  SUBCASE("files as they were follow") {
    for (int i = 0; i < 2; ++i) CHECK(good(s.git->follow(s.top, from.str(), to.str())).empty());
    CHECK(s.read("a.txt") == "a2");
    CHECK(s.read("b.txt") == "(none)");
    CHECK(s.read("c.txt") == "c");
    CHECK(s.read("README") == "mine\n");
    CHECK(s.read(kOurs) == "live");
  }
  SUBCASE("an edit is named and nothing is changed") {
    s.write("a.txt", "mine");
    s.write("c.txt", "mine");
    CHECK(good(s.git->follow(s.top, from.str(), to.str())) == Texts{"a.txt", "c.txt"});
    CHECK(s.read("b.txt") == "b");
  }
  SUBCASE("one that is there already is well") {
    s.write("a.txt", "a2");
    CHECK(good(s.git->follow(s.top, from.str(), to.str())).empty());
    CHECK(s.read("c.txt") == "c");
  }
}

TEST_CASE_TEMPLATE("the index and HEAD follow, files stay", Kind, RealSite, ModelSite) {
  Site<Kind> s;
  s.write("a.txt", "a");
  const CommitId next = s.commit_files();
  s.point("old", s.first);
  good(s.git->set_index(s.top, s.first.str()));
  CHECK(s.dirty() == std::set<std::string>{"a.txt"});
  good(s.git->set_head("old"));
  CHECK(good(s.git->branch()) == "old");
  CHECK(good(s.git->head()) == s.first);
  CHECK(s.dirty() == std::set<std::string>{"a.txt"});
  CHECK(s.read("a.txt") == "a");
  good(s.git->set_index(s.top, next.str()));
  good(s.git->set_head("main"));
  CHECK(s.dirty().empty());
}

}  // namespace
}  // namespace pf
