#include "git/promised.h"

#include "git/test_repo.h"
#include "git/user_repository.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

// A clone without blobs of a repository on this machine, with nothing checked out.
struct Partial {
  TestRepo repo;  // its `top` is the clone
  Path origin = repo.root() / "origin";

  explicit Partial(const char* filter) {
    repo.write("a", "1\n");
    repo.write("dir/b", "b\n");
    repo.write("dir/.gitattributes", "*.txt text\n");
    repo.commit("second");
    fs::rename(repo.top, origin);
    repo.git({"config", "uploadpack.allowFilter", "true"}, origin);
    repo.git({"config", "uploadpack.allowAnySHA1InWant", "true"}, origin);
    repo.git({"clone", "-q", "--no-checkout", fmt::format("--filter={}", filter),
              "file://" + origin.string(), repo.top.string()},
             repo.root());
    repo.git({"config", "user.name", "Ada"});
    repo.git({"config", "user.email", "ada@example.org"});
  }
  bool is_missing(const std::string& what) {
    const std::string id = repo.git({"rev-parse", what}, origin);
    return repo.git({"rev-list", "--objects", "--missing=print", "HEAD"}).contains("?" + id);
  }
};

TEST_CASE("partial clone: what a bubble needs is fetched first") {
  for (const char* filter : {"blob:none", "tree:0"}) {
    Partial p(filter);
    TestBubble bubble(p.repo);
    CHECK(TestRepo::read(bubble.at / "dir/b") == "b\n");
    CHECK(both(bubble).changed.empty());
    TestRepo::write_at(bubble.at / "dir/b", "2\n");
    CHECK(paths_of(both(bubble).changed) == Texts{"M dir/b"});
  }
}

TEST_CASE("partial clone: a sparse checkout fetches what is in it, and the rules") {
  Partial p("blob:none");
  p.repo.git({"sparse-checkout", "set", "--no-cone", "/a"});
  p.repo.git({"checkout", "-q", "main"});
  const auto git = user_repository(p.repo.os, p.repo.spec(), "");
  CHECK(good(git->snapshot({})).str() == p.repo.git({"rev-parse", "HEAD^{tree}"}));
  CHECK(p.is_missing("HEAD:dir/b"));
  CHECK(!p.is_missing("HEAD:dir/.gitattributes"));
  p.repo.write("a", "2\n");
  const std::string shot = good(git->snapshot({})).str();
  CHECK(p.repo.git({"show", shot + ":a"}) == "2");
  CHECK(p.is_missing("HEAD:dir/b"));
}

TEST_CASE("partial clone: offline is told") {
  Partial p("blob:none");
  fs::rename(p.origin, p.repo.root() / "unplugged");
  Workspace workspace(p.repo.os, p.repo.spec());
  const Error error = bad(workspace.prepare(), Exit::machine);
  CHECK(error.what == "files of this partial clone are not on this machine");
  CHECK(error.fix.contains("'origin' can be reached"));
  fs::rename(p.repo.root() / "unplugged", p.origin);
  good(workspace.prepare());
}

}  // namespace
}  // namespace pf
