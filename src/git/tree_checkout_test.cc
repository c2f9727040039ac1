#include "git/tree_checkout.h"

#include "git/test_repo.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// A tree of the bubble's, and a checkout for it.
struct Place {
  TestRepo repo;
  std::optional<TestBubble> made;
  TestBubble& bubble() {
    if (!made) made.emplace(repo);
    return *made;
  }
  Path at = repo.root() / "checkout";

  TreeCheckout checkout() {
    return {.repository = repo.repository(),
            .directory = at,
            .index = repo.root() / "control/checkout",
            .base = bubble().workspace.spec().base,
            .base_branch = "main",
            .branch = "bubble/one"};
  }
  void bring(const TreeId& tree, Begin begin = Begin::as_it_is) {
    good(bring_to(repo.os, checkout(), tree, begin));
  }
  TreeId shot() { return bubble().shot().tree; }
  void edit(const Path& path, std::string_view text) {
    TestRepo::write_at(bubble().at / path, text);
  }
  std::string text(const Path& path) { return TestRepo::read(at / path); }
  Texts files() {
    Texts all;
    for (auto entry = fs::recursive_directory_iterator(at); entry != fs::end(entry); ++entry) {
      if (entry->path().filename() == ".git")
        entry.disable_recursion_pending();
      else if (!entry->is_directory() || entry->is_symlink())
        all.push_back(entry->path().lexically_relative(at).string());
    }
    std::ranges::sort(all);
    return all;
  }
};

TEST_CASE("checkout: from one tree to the next, whatever was left in it") {
  Place place;
  place.repo.write("src/a", "a\n");
  place.repo.write("src/b", "b\n");
  place.repo.write(".gitignore", "build/\n");
  place.repo.commit("files");
  const TreeId first = place.shot();
  place.edit("src/a", "A\n");
  place.edit("new/file", "n\n");
  fs::remove(place.bubble().at / "README");
  const TreeId second = place.shot();

  place.bring(first);
  CHECK(place.files() == Texts{".gitignore", "README", "src/a", "src/b"});
  const auto old = fs::last_write_time(place.at / "src/b");
  TestRepo::write_at(place.at / "build/out", "kept");
  TestRepo::write_at(place.at / "left/behind", "x");
  TestRepo::write_at(place.at / "src/.gitignore", "*\n");
  TestRepo::write_at(place.at / "src/evil", "x");
  place.repo.git({"init", "-q", (place.at / "nested").string()});
  TestRepo::write_at(place.at / ".gitignore", "*\n");

  place.bring(second);
  CHECK(place.files() == Texts{".gitignore", "build/out", "new/file", "src/a", "src/b"});
  CHECK(place.text("src/a") == "A\n");
  CHECK(place.text(".gitignore") == "build/\n");
  CHECK(fs::last_write_time(place.at / "src/b") == old);  // what was built from it still counts

  place.bring(first, Begin::empty);
  CHECK(place.files() == Texts{".gitignore", "README", "src/a", "src/b"});
}

TEST_CASE("checkout: on to the next tree, where nobody else has written") {
  Place place;
  place.repo.write("src/a", "a\n");
  place.repo.write("src/b", "b $Id$\n");
  place.repo.write("gone/away", "w\n");
  place.repo.commit("files");
  const TreeId first = place.shot();
  place.edit("src/a", "A\n");
  place.edit("new/file", "n\n");
  fs::remove_all(place.bubble().at / "gone");
  const TreeId second = place.shot();
  place.edit(".gitattributes", "b ident\n");
  const TreeId converted = place.shot();

  place.bring(first);
  const auto identity = [&] {
    return good(place.repo.os.processes.run({{"stat", "-c", "%i", place.at.string()}})).out;
  };
  const std::string same = identity();
  const auto on = [&](const TreeId& from, const TreeId& to) {
    good(bring_on(place.repo.os, place.checkout(), from, to));
    CHECK(place.repo.git({"rev-parse", "HEAD^{tree}"}, place.at) == to.str());
    CHECK(place.repo.git({"status", "--porcelain"}, place.at).empty());
  };
  on(first, second);
  CHECK(place.files() == Texts{"README", "new/file", "src/a", "src/b"});
  CHECK(place.text("src/a") == "A\n");
  // Files of the same content may have to be written otherwise.
  on(second, converted);
  CHECK(place.text("src/b").starts_with("b $Id: "));
  on(converted, first);
  CHECK(place.files() == Texts{"README", "gone/away", "src/a", "src/b"});
  CHECK(place.text("src/b") == "b $Id$\n");
  CHECK(identity() == same);
  // What was known is gone.
  fs::remove_all(place.at / ".git");
  on(first, second);
  CHECK(place.text("src/a") == "A\n");
}

TEST_CASE("checkout: files of a repository within go with it") {
  Place place;
  const Path origin = place.repo.root() / "origin";
  fs::create_directories(origin);
  place.repo.git({"init", "-q", "-b", "main"}, origin);
  TestRepo::write_at(origin / "lib.txt", "lib\n");
  place.repo.git({"add", "-A"}, origin);
  place.repo.git({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "lib"}, origin);
  place.repo.git(
      {"-c", "protocol.file.allow=always", "submodule", "add", "-q", origin.string(), "sub"});
  place.repo.commit("a submodule");
  const TreeId with = place.shot();
  place.bring(with);
  CHECK(place.text("sub/lib.txt") == "lib\n");
  fs::remove_all(place.bubble().at / "sub");
  fs::remove(place.bubble().at / ".gitmodules");
  const TreeId without = place.shot();
  REQUIRE(with != without);
  good(bring_on(place.repo.os, place.checkout(), with, without));
  CHECK(place.files() == Texts{"README"});
}

TEST_CASE("checkout: a filter that the change has edited cannot write other files of it") {
  Place place;
  if (!find_enforcement(place.repo.os).program) {
    MESSAGE("not run: nothing can be confined");
    return;
  }
  place.repo.git({"config", "filter.x.smudge", "sh tools/smudge.sh"});
  place.repo.git({"config", "filter.x.clean", "cat"});
  place.repo.write(".gitattributes", "*.dat filter=x\n");
  place.repo.write("tools/smudge.sh", "cat\n");
  place.repo.write("a.txt", "good\n");
  place.repo.write("z.dat", "one\n");
  place.repo.commit("a filter");
  const TreeId first = place.shot();
  place.bring(first);
  CHECK(place.text("z.dat") == "one\n");
  place.edit("a.txt", "evil\n");
  place.edit("z.dat", "two\n");
  place.edit("tools/smudge.sh", "cat; [ ! -w . ] || echo harmless >a.txt\n");
  const TreeId forged = place.shot();
  const auto brought = bring_on(place.repo.os, place.checkout(), first, forged);
  REQUIRE(!brought);
  CHECK(brought.error().why.contains("a.txt"));
  // One that minds its own files is fine.
  place.edit("tools/smudge.sh", "cat; true\n");
  good(bring_on(place.repo.os, place.checkout(), first, place.shot()));
  CHECK(place.text("a.txt") == "evil\n");
}

TEST_CASE("checkout: a file of the same size and time is compared by its content") {
  Place place;
  const TreeId tree = place.shot();
  place.bring(tree);
  const auto time = fs::last_write_time(place.at / "README");
  TestRepo::write_at(place.at / "README", "hallo\n");
  fs::last_write_time(place.at / "README", time);
  place.bring(tree);
  CHECK(place.text("README") == "hello\n");
}

TEST_CASE("checkout: files that git calls equal are written as git writes them") {
  Place place;
  place.repo.write(".gitattributes", "*.sh ident\n*.bat eol=crlf\n* text=auto\n");
  place.repo.write("a.sh", "# $Id$\ntrue\n");
  place.repo.write("b.bat", "one\ntwo\n");
  place.repo.write("c.txt", "one\ntwo\n");
  place.repo.commit("converted");
  const TreeId tree = place.shot();
  place.bring(tree);
  const std::string script = place.text("a.sh");
  CHECK(script.starts_with("# $Id: "));
  CHECK(place.text("b.bat") == "one\r\ntwo\r\n");
  TestRepo::write_at(place.at / "a.sh", "# $Id: $(exit 0)$\ntrue\n");
  TestRepo::write_at(place.at / "b.bat", "one\ntwo\n");
  TestRepo::write_at(place.at / "c.txt", "one\r\ntwo\r\n");
  SUBCASE("as they are") {}
  SUBCASE("with attributes that hide it") {
    TestRepo::write_at(place.at / ".gitattributes", "* -ident -text\n");
    TestRepo::write_at(place.at / "a.sh", script);
  }
  place.bring(tree);
  CHECK(place.text("a.sh") == script);
  CHECK(place.text("b.bat") == "one\r\ntwo\r\n");
  CHECK(place.text("c.txt") == "one\ntwo\n");
}

TEST_CASE("checkout: what stands in a file's or a directory's way goes") {
  Place place;
  place.repo.write("dir/file", "x\n");
  place.repo.commit("a directory");
  const TreeId tree = place.shot();
  place.bring(tree);
  fs::remove_all(place.at / "dir");
  fs::create_directories(place.repo.root() / "elsewhere");
  TestRepo::write_at(place.repo.root() / "elsewhere/file", "x\n");
  TestRepo::write_at(place.repo.root() / "elsewhere/.gitignore", "mine\n");
  fs::create_symlink(place.repo.root() / "elsewhere", place.at / "dir");
  fs::remove(place.at / "README");
  fs::create_directories(place.at / "README/full/of");
  TestRepo::write_at(place.at / "README/full/of/x", "x");
  place.bring(tree);
  CHECK(place.files() == Texts{"README", "dir/file"});
  CHECK(!fs::is_symlink(place.at / "dir"));
  CHECK(TestRepo::read(place.repo.root() / "elsewhere/.gitignore") == "mine\n");
}

TEST_CASE("checkout: its git knows the change, the base and the tags, and is clean") {
  Place place;
  place.repo.git({"tag", "v1"});
  place.bubble();
  place.edit("README", "changed\n");
  const TreeId tree = place.shot();
  const std::string refs = place.repo.git({"for-each-ref"});
  place.bring(tree);
  const auto git = [&](std::vector<std::string> words) { return place.repo.git(words, place.at); };
  CHECK(git({"status", "--porcelain", "--branch"}) == "## bubble/one");
  CHECK(git({"rev-parse", "HEAD^{tree}"}) == tree.str());
  CHECK(git({"diff", "--name-only", "main"}) == "README");
  CHECK(git({"describe", "--tags", "HEAD~"}) == "v1");
  const std::string commit = git({"rev-parse", "HEAD"});
  place.bring(tree, Begin::empty);
  CHECK(git({"rev-parse", "HEAD"}) == commit);  // the same tree is the same commit
  CHECK(place.repo.git({"for-each-ref"}) == refs);
  CHECK(!place.repo.git_ok({"cat-file", "-e", commit}));  // and not the user's
}

TEST_CASE("checkout: a tree that is not there leaves an error, and nothing half") {
  Place place;
  place.bring(place.shot());
  const TreeId none(std::string(40, 'a'));
  bad(bring_to(place.repo.os, place.checkout(), none, Begin::as_it_is), Exit::machine);
  bad(bring_to(place.repo.os, place.checkout(), TreeId("--help"), Begin::empty), Exit::usage);
}

}  // namespace
}  // namespace pf
