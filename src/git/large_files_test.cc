// A filter that keeps large files as git-lfs does, and git-lfs itself where it is installed.
#include "git/large_files.h"

#include "base/sha256.h"
#include "git/merging.h"
#include "git/test_repo.h"
#include "git/user_repository.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

// Stores by SHA-256 in lfs.storage; looks there, and beside what objects are borrowed from.
constexpr const char* kFilter = R"sh(#!/bin/sh
set -e
store=$(git config lfs.storage)
place() { echo "$1/objects/$(echo "$2" | cut -c1-2)/$(echo "$2" | cut -c3-4)/$2"; }
case $1 in
clean)
  mkdir -p "$store/tmp"
  new=$(mktemp "$store/tmp/XXXXXX")
  cat >"$new"
  if grep -q '^version https://git-lfs' "$new"; then exec cat "$new"; fi
  oid=$(sha256sum <"$new" | cut -d ' ' -f 1)
  printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' \
    "$oid" "$(($(wc -c <"$new")))"
  mkdir -p "$(dirname "$(place "$store" "$oid")")"
  mv "$new" "$(place "$store" "$oid")"
  ;;
smudge)
  pointer=$(cat)
  oid=$(echo "$pointer" | sed -n 's/^oid sha256://p')
  IFS=:
  for at in "$store" $(echo "$GIT_ALTERNATE_OBJECT_DIRECTORIES" | tr -d '"' | sed 's|/objects|/lfs|g'); do
    [ ! -f "$(place "$at" "$oid")" ] || exec cat "$(place "$at" "$oid")"
  done
  echo "$pointer"
  ;;
esac
)sh";

struct WithLarge {
  TestRepo repo;
  Path store = repo.top / ".git/lfs";

  // The filter's program is the user's own, in the home directory.
  explicit WithLarge(bool real, const Path& elsewhere = {}) {
    const Path program = repo.root() / "home/bin/keep-large";
    TestRepo::write_at(program, kFilter);
    fs::permissions(program, fs::perms::owner_all);
    const std::string name = real ? "git-lfs" : program.string();
    repo.git({"config", "filter.lfs.clean", name + " clean"});
    repo.git({"config", "filter.lfs.smudge", name + " smudge"});
    repo.git({"config", "filter.lfs.required", "true"});
    if (!elsewhere.empty()) store = elsewhere;
    if (!elsewhere.empty() || !real) repo.git({"config", "lfs.storage", store.string()});
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    repo.write("a.bin", "one\n");
    repo.commit("a large file");
  }
  Path place(std::string_view content) {
    const std::string name = sha256(content);
    return store / "objects" / name.substr(0, 2) / name.substr(2, 2) / name;
  }
};

bool can_run(TestRepo& repo, bool real) {
  const auto sandbox = find_enforcement(repo.os);
  if (!sandbox.program) MESSAGE("not run: " << sandbox.why_not);
  const bool there = !real || repo.os.processes.find_program("git-lfs");
  if (!there) MESSAGE("not run: git-lfs is not installed");
  return sandbox.program && there;
}

void goes_round(bool real, bool elsewhere) {
  TestRepo probe;
  if (!can_run(probe, real)) return;
  WithLarge with(real, elsewhere ? probe.root() / "large" : Path());
  REQUIRE(TestRepo::read(with.place("one\n")) == "one\n");
  TestBubble bubble(with.repo);
  CHECK(TestRepo::read(bubble.at / "a.bin") == "one\n");
  CHECK(both(bubble).changed.empty());
  TestRepo::write_at(bubble.at / "a.bin", "two\n");
  const TreeFact fact = both(bubble);
  CHECK(paths_of(fact.changed) == Texts{"M a.bin"});
  CHECK(with.repo.git({"show", fact.tree.str() + ":a.bin"}).contains(sha256("two\n")));
  CHECK(TestRepo::read(with.place("two\n")) == "two\n");
  const Path to = with.repo.root() / "checked";
  good(bubble.workspace.check_out(fact.tree, to));
  CHECK(TestRepo::read(to / "a.bin") == "two\n");

  const CommitId commit =
      good(bubble.workspace.make_commit({fact.tree, bubble.workspace.spec().base, "large\n"}));
  const MergeFact merge = good(bubble.workspace.look_at_merge(commit, "main"));
  CHECK(merge.dirty.empty());
  good(bubble.workspace.merge(commit, "main", merge));
  CHECK(TestRepo::read(with.repo.top / "a.bin") == "two\n");
  CHECK(with.repo.git({"status", "--porcelain"}) == "");
}

TEST_CASE("large files: there and back by a filter of the user's, confined") {
  SUBCASE("its store in the git directory") { goes_round(false, false); }
  SUBCASE("its store elsewhere") { goes_round(false, true); }
}

TEST_CASE("large files: there and back by git-lfs") {
  SUBCASE("its store in the git directory") { goes_round(true, false); }
  SUBCASE("its store elsewhere") { goes_round(true, true); }
}

TEST_CASE("large files: what is not on this machine stays a pointer, and is told") {
  for (const bool real : {false, true}) {
    WithLarge with(false);
    if (!can_run(with.repo, real)) continue;
    if (real) {
      with.repo.git({"config", "filter.lfs.clean", "git-lfs clean -- %f"});
      with.repo.git({"config", "filter.lfs.smudge", "git-lfs smudge -- %f"});
      with.repo.git({"config", "filter.lfs.process", "git-lfs filter-process"});
    }
    fs::remove(with.place("one\n"));
    const auto check = good(check_base(with.repo.os, with.repo.repository(), "main", "bubble/one"));
    REQUIRE(check.warnings.size() == 1);
    CHECK(check.warnings[0].contains("stay pointers: a.bin"));
    TestBubble bubble(with.repo);
    CHECK(TestRepo::read(bubble.at / "a.bin").starts_with("version https://git-lfs"));
    CHECK(both(bubble).changed.empty());
  }
}

TEST_CASE("large files: one whose name is not its hash does not come into the store") {
  TestRepo repo;
  const Path from = repo.root() / "from", to = repo.root() / "to";
  const auto put = [&](std::string_view named, std::string_view content) {
    const std::string name = sha256(named);
    TestRepo::write_at(from / "objects" / name.substr(0, 2) / name.substr(2, 2) / name, content);
  };
  put("good", "good");
  put("bad", "planted");
  TestRepo::write_at(from / "objects/aa/bb/short", "x");
  TestRepo::write_at(repo.root() / "secret", "secret");
  const std::string linked = sha256("secret");
  fs::create_directories(from / "objects/aa/bb");
  fs::create_symlink(repo.root() / "secret", from / "objects/aa/bb" / linked);
  good(import_large_files(repo.os, from, to));
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(to))
    if (!entry.is_directory()) names.push_back(entry.path().filename());
  CHECK(names == Texts{sha256("good")});
  good(import_large_files(repo.os, repo.root() / "none", to));
}

TEST_CASE("large files: a filter that cannot work confined fails, and is not left out") {
  WithLarge with(false);
  if (!can_run(with.repo, false)) return;
  with.repo.git({"config", "--unset", "filter.lfs.required"});
  TestBubble bubble(with.repo);
  TestRepo::write_at(with.repo.root() / "home/key", "secret");
  TestRepo::write_at(with.repo.root() / "home/bin/keep-large",
                     fmt::format("#!/bin/sh\nset -e\ncat '{}' >/dev/null\ncat\n",
                                 (with.repo.root() / "home/key").string()));
  TestRepo::write_at(bubble.at / "a.bin", "not for everybody\n");
  const Error error = bad(bubble.workspace.snapshot(true), Exit::machine);
  CHECK(error.why.contains("filter"));
}

TEST_CASE("large files: the user's own filter reaches neither home nor the repository") {
  WithLarge with(false);
  if (!can_run(with.repo, false)) return;
  const Path mark = with.repo.root() / "home/mark";
  TestBubble bubble(with.repo);
  TestRepo::write_at(with.repo.root() / "home/bin/keep-large",
                     fmt::format("#!/bin/sh\necho ran >'{}'; echo ran >'{}'\ncat\n", mark.string(),
                                 (with.store / "here").string()));
  TestRepo::write_at(bubble.at / "a.bin", "two\n");
  CHECK(paths_of(both(bubble).changed) == Texts{"M a.bin"});
  CHECK(!fs::exists(mark));
  CHECK(!fs::exists(with.store / "here"));
}

}  // namespace
}  // namespace pf
