#include "git/git_rules.h"

#include "base/codec.h"
#include "base/hash.h"
#include "git/test_repo.h"

namespace pf {
namespace {

// The rules of now, kept as a bubble keeps them.
FrozenRules freeze(TestRepo& repo) {
  const auto text = text_of(
      good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index")));
  const Path at = repo.root() / "control" / "rules.json";
  TestRepo::write_at(at, text);
  return {at, hash_of(text), repo.root() / "control" / "git"};
}

std::string setting(TestRepo& repo, const Path& git_dir, const std::string& key) {
  return repo.git({"config", "-f", (git_dir / "config").string(), key});
}

TEST_CASE("rules: values come back as they were, whatever is in them") {
  TestRepo repo;
  const std::string odd = "sh -c 'a \"b\" \\\\ c; d # e\tf'\n next";
  repo.git({"config", "filter.odd \"na.me\".clean", odd});
  repo.git({"config", "core.autocrlf", "input"});
  repo.git({"config", "user.signingkey", "secret"});
  const FrozenRules frozen = freeze(repo);
  const Path git_dir = good(frozen_git_dir(repo.os, frozen, repo.top / ".git"));
  CHECK(setting(repo, git_dir, "filter.odd \"na.me\".clean") == odd);
  CHECK(setting(repo, git_dir, "core.autocrlf") == "input");
  CHECK(setting(repo, git_dir, "lfs.storage") == (repo.top / ".git" / "lfs").string());
  CHECK(TestRepo::read(frozen.text).find("secret") == std::string::npos);
}

TEST_CASE("rules: bytes that are no text come back as they were") {
  TestRepo repo;
  const std::string odd = "caf\xe9 100%25 %zz %\n";
  repo.write(".git/info/exclude", odd);
  const Path git_dir = good(frozen_git_dir(repo.os, freeze(repo), repo.top / ".git"));
  CHECK(TestRepo::read(git_dir / "info/exclude") == odd);
}

TEST_CASE("rules: what a filter keeps in the git directory is found") {
  TestRepo repo;
  repo.write(".git/git-crypt/key", "secret");
  const Path git_dir = good(frozen_git_dir(repo.os, freeze(repo), repo.top / ".git"));
  CHECK(TestRepo::read(git_dir / "git-crypt/key") == "secret");
  good(frozen_git_dir(repo.os, freeze(repo), repo.top / ".git"));  // once is enough
  CHECK(!std::filesystem::exists(git_dir / "hooks"));
}

TEST_CASE("rules: a hook that is a link to a directory does no harm") {
  TestRepo repo;
  std::filesystem::create_directories(repo.top / ".git/hooks");
  std::filesystem::create_directory_symlink("/tmp", repo.top / ".git/hooks/odd");
  const auto rules =
      read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index");
  CHECK(rules.has_value());
}

TEST_CASE("rules: hooks are watched where git finds them") {
  TestRepo repo;
  const auto look = [&] {
    return good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index"))
        .watched;
  };
  repo.git({"config", "core.hooksPath", ".husky"});
  repo.write(".husky/pre-commit", "#!/bin/sh\n");
  const auto before = look();
  repo.write(".husky/pre-commit", "#!/bin/sh\nevil\n");
  CHECK(changes_of(before, look()) == Texts{"hooks/pre-commit (changed)"});
  repo.git({"config", "--global", "core.hooksPath", "/x"});
  repo.git({"config", "--unset", "core.hooksPath"});
  CHECK(changes_of(before, look()).front() == "config core.hookspath (changed)");
}

TEST_CASE("rules: hooks below somebody's home are watched there") {
  TestRepo repo;
  const auto said = [&](const char* script) {
    const auto ran = repo.os.processes.run({{"sh", "-c", script}});
    REQUIRE(ran);
    return std::string(trim(ran->out));
  };
  const std::string home = said("eval echo ~$(id -un)");
  const Path hooks = repo.root() / "hooks";
  repo.git({"config", "core.hooksPath",
            fmt::format("~{}/{}", said("id -un"), hooks.lexically_relative(home).string())});
  const auto watched = [&] {
    return good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index"))
        .watched;
  };
  const auto before = watched();
  TestRepo::write_at(hooks / "pre-commit", "#!/bin/sh\n");
  CHECK(changes_of(before, watched()) == Texts{"hooks/pre-commit (new)"});
}

TEST_CASE("rules: files that are in the way of the kept ones are put right") {
  TestRepo repo;
  repo.write(".git/info/exclude", "old\n");
  const FrozenRules frozen = freeze(repo);
  const Path git_dir = good(frozen_git_dir(repo.os, frozen, repo.top / ".git"));
  TestRepo::write_at(git_dir / "info/exclude", "new\n");
  std::filesystem::remove(git_dir / "HEAD");
  good(frozen_git_dir(repo.os, frozen, repo.top / ".git"));
  CHECK(TestRepo::read(git_dir / "info/exclude") == "old\n");
  CHECK(std::filesystem::exists(git_dir / "HEAD"));
  TestRepo::write_at(frozen.text, "{}");
  CHECK(bad(frozen_git_dir(repo.os, frozen, repo.top / ".git"), Exit::damaged)
            .why.find("was changed") != std::string::npos);
  std::filesystem::remove(frozen.text);
  bad(frozen_git_dir(repo.os, frozen, repo.top / ".git"), Exit::damaged);
}

TEST_CASE("rules: what changed since is named") {
  TestRepo repo;
  repo.git({"config", "core.editor", "ed"});
  repo.write(".git/hooks/gone", "#!/bin/sh\n");
  const auto before =
      good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index")).watched;
  repo.git({"config", "core.editor", "vi"});
  repo.git({"config", "alias.st", "status"});
  std::filesystem::remove(repo.top / ".git/hooks/gone");
  repo.write(".git/hooks/pre-commit", "#!/bin/sh\n");
  const auto now =
      good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index")).watched;
  CHECK(changes_of(before, now) == Texts{"config alias.st (new)", "config core.editor (changed)",
                                         "hooks/gone (removed)", "hooks/pre-commit (new)"});
}

TEST_CASE("rules: ignored files are listed, a directory of nothing else as one") {
  TestRepo repo;
  repo.write(".gitignore", "*.o\nbuild/\n");
  repo.write("src/a.c", "int a;\n");
  repo.commit("source");
  repo.write("src/a.o", "x");
  repo.write("build/deep/b.o", "x");
  repo.write("objects/c.o", "x");
  const auto look = [&] {
    return good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index"))
        .ignored;
  };
  const auto before = look();
  REQUIRE(before.size() == 3);
  CHECK(before[0].name == "build/");
  CHECK(before[1].name == "objects/");
  CHECK(before[2].name == "src/a.o");
  CHECK(changes_of(before, look()).empty());
  repo.write("build/deep/b.o", "y");
  repo.write("src/b.o", "x");
  CHECK(changes_of(before, look()) == Texts{"build/ (changed)", "src/b.o (new)"});
}

}  // namespace
}  // namespace pf
