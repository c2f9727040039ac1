#include "git/users_git.h"

#include <doctest/doctest.h>

#include "git/test_repo.h"

namespace pf {
namespace {

TEST_CASE("files of the checkout that git's configuration includes are named, others are not") {
  TestRepo repo;
  const auto within = [&] { return good(settings_in_checkout(repo.os, repo.repository())); };
  CHECK(within().empty());
  repo.write("shared.config", "[user]\n\tname = X\n\temail = x@y\n");
  repo.git({"config", "include.path", "../shared.config"});
  CHECK(within() == std::vector<std::string>{"shared.config"});
  repo.git({"config", "include.path", "other.config"});
  TestRepo::write_at(repo.repository().common / "other.config", "[user]\n\tname = X\n");
  CHECK(within().empty());
  repo.git({"config", "include.path", (repo.root() / "elsewhere").string()});
  TestRepo::write_at(repo.root() / "elsewhere", "[user]\n\tname = X\n");
  CHECK(within().empty());
}

TEST_CASE("a command's git runs no hooks") {
  TestRepo repo;
  const Path mark = repo.root() / "mark";
  repo.write("hooks/pre-commit", "#!/bin/sh\ntouch '" + mark.string() + "'\n");
  std::filesystem::permissions(repo.top / "hooks/pre-commit", std::filesystem::perms::owner_all);
  repo.git({"config", "core.hooksPath", "hooks"});
  Command commit{{"git", "commit", "-q", "--allow-empty", "-m", "x"}, repo.top};
  commit.environment = without_own_programs(repo.os);
  CHECK(good(repo.os.processes.run(commit)).ok());
  CHECK_FALSE(std::filesystem::exists(mark));
  commit.environment.clear();
  CHECK(good(repo.os.processes.run(commit)).ok());
  CHECK(std::filesystem::exists(mark));
}

}  // namespace
}  // namespace pf
