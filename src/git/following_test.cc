#include "git/following.h"

#include "git/test_repo.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// A checkout at `from`, whose files may go to `to`.
struct Moving {
  TestRepo repo;
  std::string from, to;

  UserCheckout checkout() {
    return {repo.top, repo.top / ".git", repo.root() / "control" / "moving"};
  }
  std::string read(const char* name) { return TestRepo::read(repo.top / name); }
  bool has(const char* name) { return fs::exists(repo.top / name); }
  std::string status() { return repo.git({"status", "--porcelain"}); }
  Following look() {
    return good(Following::look(repo.os, repo.repository(), checkout(), {from, to}));
  }
  // As a merge does it, the branch last.
  void go() {
    Following following = look();
    REQUIRE(following.in_danger().empty());
    good(following.change_files());
    good(move_index(repo.os, checkout(), {from, to}));
    repo.git({"update-ref", "HEAD", to});
  }
  // The files as they are now are those to go to, and the checkout is back at `from`.
  void wanted() {
    repo.commit("to");
    to = repo.head();
    repo.git({"reset", "-q", "--hard", from});
  }
  void base() {
    repo.commit("from");
    from = repo.head();
  }
};

TEST_CASE("following: files, links, modes and directories that become files, and back") {
  Moving m;
  m.repo.write("edited", "1\n");
  m.repo.write("gone", "1\n");
  m.repo.write("deep/er/file", "1\n");
  m.repo.write("flat", "1\n");
  m.repo.write("run.sh", "true\n");
  m.base();
  m.repo.write("edited", "2\n");
  fs::remove(m.repo.top / "gone");
  fs::remove_all(m.repo.top / "deep");
  m.repo.write("deep", "now a file\n");
  fs::remove(m.repo.top / "flat");
  m.repo.write("flat/inner", "2\n");
  fs::permissions(m.repo.top / "run.sh", fs::perms::owner_all);
  fs::create_symlink("edited", m.repo.top / "link");
  m.wanted();
  m.repo.write("README", "mine\n");
  m.repo.write("mine", "mine\n");
  m.go();
  CHECK(m.status() == "M README\n?? mine");
  CHECK(m.read("edited") == "2\n");
  CHECK(m.read("deep") == "now a file\n");
  CHECK(m.read("flat/inner") == "2\n");
  std::swap(m.from, m.to);
  m.go();
  CHECK(m.status() == "M README\n?? mine");
  CHECK(m.read("deep/er/file") == "1\n");
  CHECK(!fs::is_symlink(m.repo.top / "link"));
}

TEST_CASE("following: what is somebody's is named, and nothing is changed") {
  Moving m;
  m.repo.write("a", "1\n");
  m.base();
  m.repo.write("a", "2\n");
  m.repo.write("new/b", "2\n");
  m.wanted();
  SUBCASE("an edit") {
    m.repo.write("a", "mine\n");
    CHECK(m.look().in_danger() == Texts{"a"});
  }
  SUBCASE("one that is gone") {
    fs::remove(m.repo.top / "a");
    CHECK(m.look().in_danger() == Texts{"a"});
  }
  SUBCASE("another mode") {
    fs::permissions(m.repo.top / "a", fs::perms::owner_all);
    CHECK(m.look().in_danger() == Texts{"a"});
  }
  SUBCASE("an ignored file at the place of a new one") {
    m.repo.write(".git/info/exclude", "new\n");
    m.repo.write("new/b", "mine\n");
    CHECK(m.look().in_danger() == Texts{"new/b"});
  }
  SUBCASE("a file at the place of a directory") {
    m.repo.write("new", "mine\n");
    CHECK(m.look().in_danger() == Texts{"new/b"});
  }
  SUBCASE("a link at the place of a directory") {
    fs::create_directories(m.repo.root() / "elsewhere");
    fs::create_directory_symlink(m.repo.root() / "elsewhere", m.repo.top / "new");
    CHECK(m.look().in_danger() == Texts{"new/b"});
  }
  SUBCASE("a directory at the place of a file") {
    m.repo.write("new/b/mine", "mine\n");
    CHECK(m.look().in_danger() == Texts{"new/b"});
  }
  SUBCASE("a staged change") {
    m.repo.write("a", "mine\n");
    m.repo.git({"add", "a"});
    m.repo.write("a", "1\n");
    CHECK(m.look().in_danger().empty());
    CHECK(good(staged_in_the_way(m.repo.os, m.checkout(), {m.from, m.to})) == Texts{"a"});
  }
  SUBCASE("a staged file at the place of a directory") {
    m.repo.write("new", "mine\n");
    m.repo.git({"add", "new"});
    fs::remove(m.repo.top / "new");
    CHECK(good(staged_in_the_way(m.repo.os, m.checkout(), {m.from, m.to})) == Texts{"new"});
  }
}

TEST_CASE("following: what is staged beside it stays staged") {
  Moving m;
  m.repo.write("a", "1\n");
  m.repo.write("b", "1\n");
  m.base();
  m.repo.write("a", "2\n");
  m.wanted();
  m.repo.write("b", "staged\n");
  m.repo.write("c", "staged\n");
  m.repo.git({"add", "b", "c"});
  CHECK(good(staged_in_the_way(m.repo.os, m.checkout(), {m.from, m.to})).empty());
  m.go();
  CHECK(m.status() == "M  b\nA  c");
}

TEST_CASE("following: goes on where an earlier try was cut off") {
  Moving m;
  m.repo.write("a", "1\n");
  m.repo.write("b", "1\n");
  m.base();
  m.repo.write("a", "2 and more\n");
  m.repo.write("b", "2\n");
  m.repo.write("c", "2\n");
  m.wanted();
  const auto half = [&](const std::string& to) {
    return HalfWritten(m.repo.os, m.checkout().scratch, m.repo.top,
                       m.repo.git({"rev-parse", to + "^{tree}"}));
  };
  m.repo.write("a", "2 and");
  fs::remove(m.repo.top / "b");
  m.repo.write("c", "2\n");
  CHECK(m.look().in_danger() == Texts{"a", "b"});  // who knows
  good(half(m.from).begin());
  CHECK(m.look().in_danger() == Texts{"a", "b"});  // on the way to something else
  good(half(m.to).begin());
  m.repo.write("c", "2 and mine\n");
  CHECK(m.look().in_danger() == Texts{"c"});
  m.repo.write("c", "2\n");
  SUBCASE("among the files") {}
  SUBCASE("behind the index") {
    m.repo.git({"read-tree", m.to});
    CHECK(good(staged_in_the_way(m.repo.os, m.checkout(), {m.from, m.to})).empty());
  }
  m.go();
  CHECK(m.status().empty());
  CHECK(m.read("a") == "2 and more\n");
  CHECK(!good(half(m.to).was_cut_off()));
}

TEST_CASE("following: a sparse checkout stays as it is, and new files are left out of it") {
  for (const char* mode : {"--cone", "--no-cone", "--sparse-index"}) {
    Moving m;
    m.repo.write("in/a", "1\n");
    m.repo.write("out/b", "1\n");
    m.base();
    m.repo.write("in/a", "2\n");
    m.repo.write("in/new", "2\n");
    m.repo.write("out/b", "2\n");
    m.repo.write("out/new", "2\n");
    m.wanted();
    m.repo.git({"sparse-checkout", "set", mode, "in"});
    REQUIRE(!m.has("out/b"));
    m.go();
    CHECK(m.status().empty());
    CHECK(m.read("in/a") == "2\n");
    CHECK(m.read("in/new") == "2\n");
    CHECK(!m.has("out"));
    std::swap(m.from, m.to);
    m.go();
    CHECK(m.status().empty());
    CHECK(!m.has("in/new"));
    m.repo.write("out/b", "mine\n");  // present all the same
    std::swap(m.from, m.to);
    CHECK(m.look().in_danger() == Texts{"out/b"});
  }
}

TEST_CASE("following: submodules come and go as directories, and are not entered") {
  Moving m;
  m.repo.write("was", "a file\n");
  m.base();
  const std::string link = fmt::format("160000,{},", m.from);
  m.repo.git({"update-index", "--add", "--cacheinfo", link + "sub"});
  m.repo.git({"rm", "-q", "--cached", "was"});
  m.repo.git({"update-index", "--add", "--cacheinfo", link + "was"});
  m.repo.git({"commit", "-q", "-m", "to"});
  m.to = m.repo.head();
  m.repo.git({"reset", "-q", "--hard", m.from});
  m.go();
  CHECK(fs::is_directory(m.repo.top / "sub"));
  CHECK(fs::is_directory(m.repo.top / "was"));
  CHECK(m.status().empty());
  std::swap(m.from, m.to);
  m.repo.write("sub/mine", "mine\n");
  SUBCASE("an empty one goes") {
    m.go();
    CHECK(m.read("was") == "a file\n");
    CHECK(m.read("sub/mine") == "mine\n");
    CHECK(m.status() == "?? sub/");
  }
  SUBCASE("one with files is no place for a file") {
    m.repo.write("was/mine", "mine\n");
    CHECK(m.look().in_danger() == Texts{"was"});
  }
}

TEST_CASE("following: neither filters nor hooks reach anything outside of the checkout") {
  Moving m;
  if (const auto sandbox = find_enforcement(m.repo.os); !sandbox.program) {
    MESSAGE("not run: " << sandbox.why_not);
    return;
  }
  const Path mark = m.repo.root() / "mark";
  m.repo.write("tool.sh", "cat\n");
  m.repo.write(".gitattributes", "*.bin filter=x\n");
  m.repo.write("a.bin", "1\n");
  m.base();
  m.repo.write("a.bin", "2\n");
  m.wanted();
  for (const char* key : {"filter.x.clean", "filter.x.smudge"})
    m.repo.git({"config", key, "sh ./tool.sh"});
  m.repo.write("tool.sh", fmt::format("echo ran >'{}'\necho ran >'{}'\necho ran >here\ncat\n",
                                      mark.string(), (m.repo.top / ".git/here").string()));
  Following following = m.look();
  REQUIRE(following.in_danger().empty());
  CHECK(!m.has("here"));  // while it looks, nothing is written
  good(following.change_files());
  CHECK(m.read("a.bin") == "2\n");
  CHECK(m.read("here") == "ran\n");
  good(move_index(m.repo.os, m.checkout(), {m.from, m.to}));
  CHECK(!fs::exists(mark));
  CHECK(!m.has(".git/here"));
}

}  // namespace
}  // namespace pf
