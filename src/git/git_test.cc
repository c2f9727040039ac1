#include "git/git.h"

#include "git/test_repo.h"

namespace pf {
namespace {

struct Variable {
  Variable(const char* variable, const std::string& value) : name(variable) {
    ::setenv(variable, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name); }
  const char* name;
};

TEST_CASE("git: a failure names what was being done and git's own reason") {
  TestRepo repo;
  const Git git(repo.os, {.git_dir = repo.top / ".git"});
  const auto failed = git.line("find the moon", {"rev-parse", "--verify", "moon"});
  REQUIRE(!failed);
  CHECK(failed.error().exit == Exit::machine);
  CHECK(failed.error().what == "cannot find the moon");
  CHECK(failed.error().why == "fatal: Needed a single revision");
}

TEST_CASE("git: the caller's own git variables have no effect") {
  TestRepo repo;
  TestRepo other;
  other.commit("second");
  ::setenv("HOME", repo.root().c_str(), 1);
  const Variable dir("GIT_DIR", other.top / ".git");
  const Variable tree("GIT_WORK_TREE", other.top);
  const Variable index("GIT_INDEX_FILE", other.root() / "nowhere");
  const Variable objects("GIT_OBJECT_DIRECTORY", other.root() / "objects");
  const Variable alternates("GIT_ALTERNATE_OBJECT_DIRECTORIES", other.top / ".git/objects");
  const Variable name_space("GIT_NAMESPACE", "elsewhere");
  const Variable count("GIT_CONFIG_COUNT", "1");
  const Git git(repo.os, {.git_dir = repo.top / ".git", .work_tree = repo.top});
  CHECK(good(git.line("count", {"rev-list", "--count", "HEAD"})) == "1");
  CHECK(good(git.line("status", {"status", "--porcelain"})) == "");
}

TEST_CASE("git: hooks and fsmonitor of the repository never run") {
  TestRepo repo;
  const Path seen = repo.root() / "seen";
  const auto script = fmt::format("#!/bin/sh\necho ran >> '{}'\nexit 1\n", seen.string());
  for (const auto* hook : {"reference-transaction", "post-checkout", "post-index-change"}) {
    repo.write(Path(".git/hooks") / hook, script);
    std::filesystem::permissions(repo.top / ".git/hooks" / hook, std::filesystem::perms::all);
  }
  repo.write("monitor.sh", script);
  std::filesystem::permissions(repo.top / "monitor.sh", std::filesystem::perms::all);
  TestRepo::write_at(repo.top / ".git/config", TestRepo::read(repo.top / ".git/config") +
                                                   "[core]\n\tfsmonitor = ./monitor.sh\n");
  const Git git(repo.os, {.git_dir = repo.top / ".git", .work_tree = repo.top});
  CHECK(git.must("look", {"status"}));
  CHECK(git.must("add", {"add", "-A"}));
  CHECK(git.set_ref("refs/pairflow/x", *git.line("head", {"rev-parse", "HEAD"})));
  CHECK(!std::filesystem::exists(seen));
}

TEST_CASE("git: refs are set, read back and compared before they are set") {
  TestRepo repo;
  const auto first = repo.head();
  repo.commit("second");
  const auto second = repo.head();
  const Git git(repo.os, {.git_dir = repo.top / ".git"});
  const std::string ref = "refs/pairflow/one/x";
  CHECK(good(git.ref(ref)) == std::nullopt);
  CHECK(git.set_ref(ref, first, ""));
  CHECK(good(git.ref(ref)) == first);
  CHECK(good(git.ref("refs/pairflow/one")) == std::nullopt);
  CHECK(!git.set_ref(ref, second, ""));
  CHECK(!git.set_ref(ref, second, second));
  CHECK(git.set_ref(ref, second, first));
  CHECK(git.set_ref(ref, second));
  CHECK(good(git.ref(ref)) == second);
  CHECK(good(git.has(second)) == true);
  CHECK(good(git.has(std::string(40, 'a'))) == false);
}

TEST_CASE("git: nothing but an object id passes for one") {
  CHECK(is_object_id(std::string(40, 'a')));
  CHECK(is_object_id(std::string(64, '0')));
  for (const auto* text : {"", "HEAD", "--output=x", "main", "ABCDEF"}) CHECK(!is_object_id(text));
  CHECK(!is_object_id(std::string(40, 'A')));
  CHECK(check_object_id("--all").error().exit == Exit::usage);
}

TEST_CASE("git: -z output is split at every NUL") {
  using namespace std::string_literals;
  CHECK(split_nul("") == Texts{});
  CHECK(split_nul("a\0b\nc\0"s) == Texts{"a", "b\nc"});
  CHECK(split_nul("a\0\0b"s) == Texts{"a", "", "b"});
}

}  // namespace
}  // namespace pf
