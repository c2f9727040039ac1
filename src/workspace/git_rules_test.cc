#include "workspace/git_rules.h"

#include "base/codec.h"
#include "base/hash.h"
#include "workspace/test_repo.h"

namespace pf {
namespace {

// The rules of now, kept as a bubble keeps them.
FrozenRules freeze(TestRepo& repo) {
  const auto text = dump(codec::encode(
      good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index"))));
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
  const Path git_dir = good(frozen_git_dir(repo.os, frozen));
  CHECK(setting(repo, git_dir, "filter.odd \"na.me\".clean") == odd);
  CHECK(setting(repo, git_dir, "core.autocrlf") == "input");
  CHECK(setting(repo, git_dir, "lfs.storage") == (repo.top / ".git" / "lfs").string());
  CHECK(TestRepo::read(frozen.text).find("secret") == std::string::npos);
}

TEST_CASE("rules: files that are in the way of the kept ones are put right") {
  TestRepo repo;
  repo.write(".git/info/exclude", "old\n");
  const FrozenRules frozen = freeze(repo);
  const Path git_dir = good(frozen_git_dir(repo.os, frozen));
  TestRepo::write_at(git_dir / "info/exclude", "new\n");
  std::filesystem::remove(git_dir / "HEAD");
  good(frozen_git_dir(repo.os, frozen));
  CHECK(TestRepo::read(git_dir / "info/exclude") == "old\n");
  CHECK(std::filesystem::exists(git_dir / "HEAD"));
  TestRepo::write_at(frozen.text, "{}");
  CHECK(bad(frozen_git_dir(repo.os, frozen), Exit::damaged).why.find("was changed") !=
        std::string::npos);
  std::filesystem::remove(frozen.text);
  bad(frozen_git_dir(repo.os, frozen), Exit::damaged);
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
  CHECK(join(good(read_rules(repo.os, repo.repository(), repo.top, "HEAD", repo.root() / "index"))
                 .ignored,
             " ") == join(Texts{"build/", "objects/", "src/a.o"}, " "));
}

}  // namespace
}  // namespace pf
