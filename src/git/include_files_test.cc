#include "git/include_files.h"

#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

TEST_CASE("include: ignored files that match, with modes, in both modes") {
  for (const auto mode : {WorkMode::worktree, WorkMode::clone}) {
    TestRepo repo;
    repo.write(".gitignore", ".env*\nsecrets/\n*.sh\n");
    repo.write(".worktreeinclude",
               "# comment\n.env*\n/secrets/*\n!secrets/not-this\n*.sh\nREADME\nuntracked\n");
    repo.commit("rules");
    repo.write(".env", "KEY=1\n");
    repo.write("sub/.env.local", "KEY=2\n");
    repo.write("secrets/a b\n\"c", "x");
    repo.write("secrets/not-this", "x");
    repo.write("-dash.sh", "#!/bin/sh\n");
    fs::permissions(repo.top / "-dash.sh", fs::perms(0755));
    repo.write("other", "x");
    repo.write("untracked", "it would become part of the change");
    repo.write("README", "edited in the main worktree\n");
    const TestBubble bubble(repo, mode);
    CHECK(TestRepo::read(bubble.at / ".env") == "KEY=1\n");
    CHECK(TestRepo::read(bubble.at / "sub/.env.local") == "KEY=2\n");
    CHECK(TestRepo::read(bubble.at / "secrets/a b\n\"c") == "x");
    CHECK(!fs::exists(bubble.at / "secrets/not-this"));
    CHECK((fs::status(bubble.at / "-dash.sh").permissions() & fs::perms::owner_exec) !=
          fs::perms::none);
    CHECK(!fs::exists(bubble.at / "other"));
    CHECK(!fs::exists(bubble.at / "untracked"));
    CHECK(TestRepo::read(bubble.at / "README") == "hello\n");
  }
}

TEST_CASE("include: never .git, .pairflow, a nested repository or a file the base tracks") {
  TestRepo repo;
  repo.write("tracked-at-base", "base\n");
  repo.commit("base");
  const auto spec = repo.spec();
  repo.git({"rm", "-q", "--cached", "tracked-at-base"});
  repo.write(".worktreeinclude", "*\n");
  repo.write(".gitignore", "loose\n.pairflow/\nnested/\ntracked-at-base\n");
  repo.write(".pairflow/config.toml", "x");
  repo.write("tracked-at-base", "changed\n");
  repo.write("loose", "x");
  repo.git({"init", "-q", "nested"});
  repo.write("nested/file", "x");
  Workspace workspace(repo.os, spec);
  good(workspace.prepare());
  CHECK(fs::exists(spec.worktree / "loose"));
  CHECK(!fs::exists(spec.worktree / ".pairflow"));
  CHECK(!fs::exists(spec.worktree / "nested"));
  CHECK(fs::is_regular_file(spec.worktree / ".git"));
  CHECK(TestRepo::read(spec.worktree / "tracked-at-base") == "base\n");
}

TEST_CASE("include: a symlink is copied as one and none is ever followed") {
  TestRepo repo;
  fs::create_directories(repo.root() / "outside");
  TestRepo::write_at(repo.root() / "outside/secret", "s");
  fs::create_directory_symlink(repo.root() / "outside", repo.top / "way");
  repo.commit("the base has a link out");
  const auto spec = repo.spec();
  fs::remove(repo.top / "way");
  repo.write("way/in", "through the link\n");
  repo.write(".worktreeinclude", "way/\nlink\ndangling\n");
  repo.write(".gitignore", "way/\nlink\ndangling\n");
  fs::create_symlink("../outside/secret", repo.top / "link");
  fs::create_symlink("nowhere", repo.top / "dangling");
  Workspace workspace(repo.os, spec);
  good(workspace.prepare());
  CHECK(fs::read_symlink(spec.worktree / "link") == "../outside/secret");
  CHECK(fs::is_symlink(spec.worktree / "dangling"));
  CHECK(fs::is_symlink(spec.worktree / "way"));
  CHECK(!fs::exists(repo.root() / "outside/in"));
}

TEST_CASE("include: without a list, or with a link in its place, nothing is copied") {
  TestRepo repo;
  repo.write("loose", "x");
  TestRepo::write_at(repo.root() / "list", "*\n");
  fs::create_symlink(repo.root() / "list", repo.top / ".worktreeinclude");
  const TestBubble bubble(repo);
  CHECK(!fs::exists(bubble.at / "loose"));
}

}  // namespace
}  // namespace pf
