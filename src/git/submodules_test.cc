#include "git/submodules.h"

#include "git/test_repo.h"
#include "git/tree_checkout.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// A repository whose submodule `lib` has a submodule `deep` of its own, both initialised.
struct WithModules {
  TestRepo repo;
  Path deep = repo.root() / "origin-deep";
  Path lib = repo.root() / "origin-lib";
  Path to = repo.root() / "to";
  Path scratch = repo.root() / "control" / "fill";

  WithModules() {
    make(deep, "deep.txt", "deep\n");
    make(lib, "lib.txt", "lib\n");
    add(deep, lib, "deep");
    in(lib, {"commit", "-q", "-m", "deep"});
    add(lib, repo.top, "lib");
    in(repo.top, {"submodule", "update", "-q", "--init", "--recursive"});
    repo.commit("a submodule");
    fs::create_directories(to);
  }
  void in(const Path& where, std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@b"});
    repo.git(words, where);
  }
  void make(const Path& at, const char* name, const char* text) {
    fs::create_directories(at);
    in(at, {"init", "-q", "-b", "main"});
    TestRepo::write_at(at / name, text);
    in(at, {"add", "-A"});
    in(at, {"commit", "-q", "-m", "one"});
  }
  void add(const Path& from, const Path& into, const char* path) {
    in(into, {"submodule", "add", "-q", "--name", "named", from.string(), path});
  }
  Texts fill() {
    return good(fill_submodules(repo.os, repo.repository(), repo.head(), to, scratch));
  }
};

TEST_CASE("submodules: a tree's are filled from local objects, theirs too") {
  WithModules with;
  const auto all = good(submodules_of(with.repo.os, with.repo.repository(), with.repo.head()));
  REQUIRE(all.size() == 1);
  CHECK(all[0].path == "lib");
  CHECK(all[0].commit == with.repo.git({"rev-parse", "HEAD"}, with.lib));
  CHECK(all[0].store == with.repo.top / ".git/modules/named");
  fs::remove_all(with.repo.top / "lib");  // the store names it as its worktree
  CHECK(with.fill().empty());
  CHECK(TestRepo::read(with.to / "lib/lib.txt") == "lib\n");
  CHECK(TestRepo::read(with.to / "lib/deep/deep.txt") == "deep\n");
  CHECK(!fs::exists(with.to / "lib/.git"));
  CHECK(!fs::exists(with.to / "lib/deep/.git"));
  TestRepo::write_at(with.to / "lib/lib.txt", "changed\n");
  TestRepo::write_at(with.to / "lib/built.o", "o");
  CHECK(with.fill().empty());  // again
  CHECK(TestRepo::read(with.to / "lib/lib.txt") == "lib\n");
  CHECK(TestRepo::read(with.to / "lib/built.o") == "o");
  CHECK(fs::is_empty(with.scratch.parent_path()));
}

TEST_CASE("submodules: without local objects the directory stays empty and is named") {
  WithModules with;
  SUBCASE("never initialised") { fs::remove_all(with.repo.top / ".git/modules/named"); }
  SUBCASE("the commit is not there") {
    with.in(with.lib, {"commit", "-q", "--allow-empty", "-m", "two"});
    with.in(with.repo.top,
            {"update-index", "--cacheinfo",
             fmt::format("160000,{},lib", with.repo.git({"rev-parse", "HEAD"}, with.lib))});
    with.in(with.repo.top, {"commit", "-q", "-m", "forward"});
  }
  SUBCASE("the name leads elsewhere") {
    with.repo.write(".gitmodules", "[submodule \"../modules/named\"]\n\tpath = lib\n");
    with.repo.commit("names");
  }
  SUBCASE("no name") {
    fs::remove(with.repo.top / ".gitmodules");
    with.repo.commit("no names");
  }
  CHECK(with.fill() == Texts{"lib"});
  CHECK(fs::is_empty(with.to / "lib"));
}

TEST_CASE("submodules: a link in the way is removed, never followed") {
  WithModules with;
  const Path victim = with.repo.root() / "victim";
  TestRepo::write_at(victim / "lib.txt", "precious\n");
  fs::create_directory_symlink(victim, with.to / "lib");
  CHECK(with.fill().empty());
  CHECK(TestRepo::read(victim / "lib.txt") == "precious\n");
  CHECK(TestRepo::read(with.to / "lib/lib.txt") == "lib\n");
}

TEST_CASE("submodules: files that are not as recorded are told, by content") {
  WithModules with;
  REQUIRE(with.fill().empty());
  const auto told = [&] {
    std::vector<std::string> lines;
    for (const auto& one : good(changed_submodules(with.repo.os, with.repo.repository(),
                                                   with.repo.head(), with.to, with.scratch)))
      lines.push_back(one.path + (one.unknown ? "?" : "") + ": " + join(one.changed, " "));
    return lines;
  };
  CHECK(told().empty());
  TestRepo::write_at(with.to / "lib/.gitignore", "*.o\n");
  TestRepo::write_at(with.to / "lib/built.o", "o");
  CHECK(told() == Texts{"lib: .gitignore"});
  const auto when = fs::last_write_time(with.to / "lib/lib.txt");
  TestRepo::write_at(with.to / "lib/lib.txt", "LIB\n");
  fs::last_write_time(with.to / "lib/lib.txt", when);
  CHECK(told() == Texts{"lib: lib.txt .gitignore"});
  SUBCASE("as git has it, a repository whose configuration runs a program") {
    const Path mark = with.repo.root() / "mark";
    fs::remove_all(with.to / "lib");
    with.repo.git({"clone", "-q", with.lib.string(), (with.to / "lib").string()});
    with.repo.git({"config", "core.fsmonitor", fmt::format("touch '{}'; false", mark.string())},
                  with.to / "lib");
    CHECK(told().empty());
    TestRepo::write_at(with.to / "lib/lib.txt", "LIB\n");
    CHECK(told() == Texts{"lib: lib.txt"});
    CHECK(!fs::exists(mark));
    with.repo.git({"status"}, with.to / "lib");
    CHECK(fs::exists(mark));
  }
  SUBCASE("one that cannot be compared") {
    fs::remove_all(with.repo.top / ".git/modules/named");
    CHECK(told() == Texts{"lib?: "});
  }
  SUBCASE("an empty one") {
    fs::remove_all(with.to / "lib");
    fs::create_directories(with.to / "lib");
    CHECK(told().empty());
  }
}

TEST_CASE("submodules: a checkout of a tree that is used again has them as recorded") {
  WithModules with;
  const TreeCheckout to{.repository = with.repo.repository(),
                        .directory = with.repo.root() / "checked",
                        .index = with.repo.root() / "control/checked",
                        .base = CommitId(with.repo.head())};
  const TreeId tree(with.repo.git({"rev-parse", "HEAD^{tree}"}));
  const auto bring = [&] { good(bring_to(with.repo.os, to, tree, Begin::as_it_is)); };
  const Path file = to.directory / "lib/lib.txt";
  bring();
  CHECK(TestRepo::read(file) == "lib\n");
  CHECK(TestRepo::read(to.directory / "lib/deep/deep.txt") == "deep\n");
  CHECK(with.repo.git({"status", "--porcelain"}, to.directory) == "");
  const auto written = fs::last_write_time(file);
  bring();
  CHECK(fs::last_write_time(file) == written);
  TestRepo::write_at(file, "poison\n");
  TestRepo::write_at(to.directory / "lib/new.txt", "poison\n");
  bring();
  CHECK(TestRepo::read(file) == "lib\n");
  CHECK(!fs::exists(to.directory / "lib/new.txt"));
}

TEST_CASE("submodules: a filter of the submodule writes the checkout alone, and not its .git") {
  WithModules with;
  if (const auto sandbox = find_enforcement(with.repo.os); !sandbox.program) {
    MESSAGE("not run: " << sandbox.why_not);
    return;
  }
  const Path mark = with.repo.root() / "mark";
  TestRepo::write_at(with.lib / ".gitattributes", "*.txt filter=x\n");
  TestRepo::write_at(with.lib / "a.sh", fmt::format("echo ran >'{}'\necho ran >'{}'\n"
                                                    "echo ran >'{}'\ncat\n",
                                                    mark.string(), (with.to / "here").string(),
                                                    (with.to / ".git/here").string()));
  with.in(with.lib, {"add", "-A"});
  with.in(with.lib, {"commit", "-q", "-m", "a filter"});
  with.in(with.repo.top / "lib", {"pull", "-q", "origin", "main"});
  with.repo.commit("forward");
  with.repo.git({"config", "filter.x.smudge", "sh ./a.sh"}, with.repo.top / "lib");
  fs::create_directories(with.to / ".git");
  CHECK(with.fill().empty());
  CHECK(TestRepo::read(with.to / "lib/lib.txt") == "lib\n");
  CHECK(TestRepo::read(with.to / "here") == "ran\n");
  CHECK(!fs::exists(with.to / ".git/here"));
  CHECK(!fs::exists(mark));
}

}  // namespace
}  // namespace pf
