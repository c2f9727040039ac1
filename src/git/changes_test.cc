#include "git/changes.h"

#include "git/test_repo.h"

namespace pf {
namespace {

TEST_CASE("diff: a unified diff, binary files by name only") {
  TestRepo repo;
  TestBubble bubble(repo);
  TestRepo::write_at(bubble.at / "README", "hello\nworld\n");
  TestRepo::write_at(bubble.at / "blob", std::string("\0secret\n", 8));
  const auto fact = bubble.shot();
  const auto text = good(bubble.workspace.diff(fact.base_tree.str(), fact.tree.str(), 1 << 20));
  CHECK(text.find("--- a/README\n+++ b/README\n@@ -1 +1,2 @@\n hello\n+world\n") !=
        std::string::npos);
  CHECK(text.find("Binary files /dev/null and b/blob differ") != std::string::npos);
  CHECK(text.find("secret") == std::string::npos);
  CHECK(good(bubble.workspace.diff(repo.head(), fact.tree.str(), 1 << 20)) == text);
  CHECK(good(bubble.workspace.diff(fact.tree.str(), fact.tree.str(), 1 << 20)).empty());
}

TEST_CASE("diff: attributes, external tools and textconv hide nothing") {
  TestRepo repo;
  repo.write("code.c", "int a;\n");
  repo.commit("code");
  TestBubble bubble(repo);
  const auto liar = repo.root() / "liar";
  TestRepo::write_at(
      liar, fmt::format("#!/bin/sh\ntouch '{}'\necho same\n", (repo.root() / "ran").string()));
  std::filesystem::permissions(liar, std::filesystem::perms::all);
  repo.git({"config", "diff.external", liar});
  repo.git({"config", "diff.liar.textconv", liar});
  repo.git({"config", "diff.noprefix", "true"});
  repo.git({"config", "color.ui", "always"});
  TestRepo::write_at(bubble.at / ".gitattributes", "*.c -diff\nREADME diff=liar\n");
  TestRepo::write_at(bubble.at / "code.c", "int b;\n");
  TestRepo::write_at(bubble.at / "README", "bye\n");
  repo.write(".gitattributes", "*.c -diff\n");
  repo.git({"add", "-A"});
  const auto fact = bubble.shot();
  const auto text = good(bubble.workspace.diff(fact.base_tree.str(), fact.tree.str(), 1 << 20));
  CHECK(text.find("\n-int a;\n+int b;\n") != std::string::npos);
  CHECK(text.find("+++ b/README\n@@ -1 +1 @@\n-hello\n+bye\n") != std::string::npos);
  CHECK(fact.changed.at(2) == ChangedFile{"code.c", "M", 1, 1, "100644"});
  CHECK(!std::filesystem::exists(repo.root() / "ran"));
}

TEST_CASE("diff: cut to its limit at a line, with a line that says so") {
  TestRepo repo;
  TestBubble bubble(repo);
  for (int i = 0; i < 30; ++i)
    TestRepo::write_at(bubble.at / fmt::format("f{:02}", i), "ä line of some length\n");
  const auto fact = bubble.shot();
  const auto cut = [&](std::size_t limit) {
    return good(bubble.workspace.diff(fact.base_tree.str(), fact.tree.str(), limit));
  };
  const auto whole = cut(1 << 20);
  CHECK(cut(whole.size()) == whole);
  for (const std::size_t limit : {whole.size() - 1, whole.size() / 2, std::size_t{500}}) {
    const auto text = cut(limit);
    CHECK(text.size() <= limit);
    const auto last = text.rfind('\n', text.size() - 2);
    const auto note = text.rfind("[cut at ");
    CHECK(note == (last == std::string::npos ? 0 : last + 1));
    CHECK(whole.starts_with(text.substr(0, note)));
    CHECK(is_utf8(text));
  }
  CHECK(cut(whole.size() / 2).find("of 30 files are missing or incomplete]\n") !=
        std::string::npos);
  CHECK(cut(10).size() == 10);
  CHECK(cut(1).size() == 1);
}

TEST_CASE("diff: only object ids are taken") {
  TestRepo repo;
  TestBubble bubble(repo);
  bad(bubble.workspace.diff("--output=/tmp/x", repo.head(), 100), Exit::usage);
  bad(bubble.workspace.changed(repo.head(), "HEAD"), Exit::usage);
  bad(bubble.workspace.changed(repo.head(), std::string(40, 'a')), Exit::machine);
}

TEST_CASE("changed: between any two trees, renames as a removed and an added file") {
  TestRepo repo;
  TestBubble bubble(repo);
  const auto one = bubble.shot().tree.str();
  std::filesystem::rename(bubble.at / "README", bubble.at / "LIESMICH");
  const auto two = bubble.shot().tree.str();
  CHECK(paths_of(good(bubble.workspace.changed(one, two))) == Texts{"A LIESMICH", "D README"});
  CHECK(paths_of(good(bubble.workspace.changed(two, one))) == Texts{"D LIESMICH", "A README"});
  CHECK(good(bubble.workspace.changed(two, two)).empty());
}

TEST_CASE("changed: a commit that only the clone has") {
  TestRepo repo;
  TestBubble bubble(repo, WorkMode::clone);
  TestRepo::write_at(bubble.at / "new", "x\n");
  repo.git({"add", "-A"}, bubble.at);
  repo.git({"commit", "-q", "-m", "agent"}, bubble.at);
  const auto tip = good(bubble.workspace.tip()).str();
  CHECK(paths_of(good(bubble.workspace.changed(repo.head(), tip))) == Texts{"A new"});
}

TEST_CASE("changes: git's output is read strictly") {
  using namespace std::string_literals;
  const auto zero = std::string(40, '0');
  const auto raw = fmt::format(":100644 000000 {} {} D", zero, zero);
  const auto parsed = good(parse_changes(raw + "\0a\tb\0"s + "0\t7\ta\tb\0"s));
  CHECK(parsed == std::vector<ChangedFile>{{"a\tb", "D", 0, 7, "100644"}});
  CHECK(good(parse_changes("")).empty());
  for (const auto& text :
       {raw, raw + "\0"s, ":x\0y\0"s, "1\t2\tunknown\0"s, "junk\0"s, raw + "\0x\0y\tz\tx\0"s})
    bad(parse_changes(text), Exit::machine);
}

}  // namespace
}  // namespace pf
