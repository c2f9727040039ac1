#include "git/changed_tree.h"

#include "git/test_repo.h"

namespace pf {
namespace {

TEST_CASE("a tree with some paths as another one has them: changed, gone and come") {
  TestRepo repo;
  repo.write("gone.txt", "old\n");
  repo.commit("second");
  const std::string base = repo.git({"rev-parse", "HEAD^{tree}"});
  repo.write("README", "mine\n");
  repo.write("new dir/ä.txt", "mine\n");
  repo.write("theirs.txt", "theirs\n");
  std::filesystem::remove(repo.top / "gone.txt");
  repo.commit("third");
  const std::string now = repo.git({"rev-parse", "HEAD^{tree}"});
  const Path scratch = repo.root() / "control" / "scratch";
  const auto with = [&](const std::set<std::string>& paths) {
    return good(tree_with_paths_of(repo.os, repo.repository(), scratch, now, base, paths)).str();
  };
  CHECK(with({}) == now);
  CHECK(with({"no such file"}) == now);
  const std::string mixed = with({"README", "new dir/ä.txt", "gone.txt"});
  CHECK(repo.git({"show", mixed + ":README"}) == "hello");
  CHECK(repo.git({"show", mixed + ":gone.txt"}) == "old");
  CHECK(repo.git({"ls-tree", "-r", "--name-only", mixed}) == "README\ngone.txt\ntheirs.txt");
  CHECK(with({"README", "new dir/ä.txt", "gone.txt", "theirs.txt"}) == base);
}

}  // namespace
}  // namespace pf
