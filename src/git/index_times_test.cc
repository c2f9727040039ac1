#include "git/index_times.h"

#include "git/test_repo.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

struct Indexed {
  TestRepo repo;
  Path index() const { return repo.top / ".git/index"; }
  auto since(std::int64_t second) {
    const std::size_t id_bytes = repo.git({"rev-parse", "HEAD"}).size() / 2;
    return changed_since(TestRepo::read(index()), second, id_bytes);
  }
  // As git itself lists them.
  Texts all() {
    Texts entries;
    const std::string listed = repo.git({"ls-files", "-s"});
    for (const auto line : split(listed, '\n')) entries.emplace_back(line);
    return entries;
  }
};
constexpr std::int64_t kLater = 4'000'000'000;

TEST_CASE("index: entries are read as git lists them") {
  Indexed at;
  at.repo.write("a/b.txt", "b\n");
  at.repo.write("a name of fourteen", "n\n");
  at.repo.write("run", "#!/bin/sh\n");
  fs::permissions(at.repo.top / "run", fs::perms::owner_all);
  at.repo.commit("files");
  CHECK(at.since(0) == at.all());
  CHECK(at.since(kLater) == Texts{});
  // What git is told to leave alone is known to differ.
  at.repo.git({"update-index", "--skip-worktree", "run"});
  Texts rest = at.all();
  std::erase_if(rest, [](const std::string& entry) { return entry.ends_with("\trun"); });
  CHECK(at.since(0) == rest);
}

TEST_CASE("index: a form that is not known is not guessed at") {
  Indexed at;
  at.repo.write("a/b.txt", "b\n");
  at.repo.commit("files");
  const std::string text = TestRepo::read(at.index());
  for (std::size_t size = 0; size < 100; ++size)  // in the middle of the entries
    CHECK_FALSE(changed_since(text.substr(0, size), 0, 20));
  CHECK_FALSE(changed_since("", 0, 20));
  CHECK_FALSE(changed_since("DIRC" + std::string(100, '\xff'), 0, 20));
  at.repo.git({"update-index", "--index-version", "4"});
  CHECK_FALSE(at.since(0));
  at.repo.git({"update-index", "--index-version", "2"});
  CHECK(at.since(0));
  at.repo.git({"update-index", "--split-index"});
  CHECK_FALSE(at.since(0));
}

}  // namespace
}  // namespace pf
