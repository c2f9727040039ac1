#include "role/host/landing.h"

#include <sys/stat.h>

#include "git/test_repo.h"
#include "role/host/merge.h"
#include "role/host/performer.h"

namespace pf {
namespace {

const std::string kBranch = "feat/F001-log-in";

// A feature's branch is checked out, with work and a task that are not committed.
struct Site {
  TestRepo repo;
  RoleLoop loop{repo.os, RolePaths(repo.repository())};
  role::Landing landing;

  Site() {
    repo.write("docs/ROADMAP.md", "- [ ] F001: Log in\n- [ ] F002: Search\n");
    repo.commit("roadmap");
    repo.git({"switch", "-q", "-c", kBranch});
    repo.write("docs/current/T01-form.md", "# T01: Form\n");
    repo.write("docs/agents/state.json", "live");
    repo.write("work.txt", "work\n");
    std::filesystem::create_directories(loop.paths().directory);
    landing.number = 1;
    landing.kind = role::LandingKind::feature;
    landing.feature = "F001", landing.title = "Log in";
    landing.branch = kBranch, landing.into = "main";
    landing.tip = landing.commit = CommitId(repo.head());
    landing.commits = true;
    landing.reset = document::default_register("2026-02-21T12:00:00Z");
  }
  std::string file(const std::string& of, const std::string& path) {
    return good(loop.git().file_of(of, path)).value_or("(none)");
  }
  void prepare() {
    const auto filed = std::get<role::ReportPrepared>(good(prepare_commit(loop, {landing})));
    landing.commit = filed.commit, landing.salvage = filed.salvage;
  }
  std::string at(const std::string& branch) { return repo.git({"rev-parse", branch}); }
  std::string status() { return repo.git({"status", "--porcelain", "--untracked-files=all"}); }
  // A commit on main that the feature does not know.
  void move_main(const std::string& path, const std::string& text) {
    const std::string tree = good(loop.git().edited("main", {{path, text}})).str();
    repo.git({"update-ref", "refs/heads/main",
              repo.git({"commit-tree", "-p", "main", "-m", "theirs", tree})});
  }
  Result<role::Command> clear() {
    return clear_tree(loop, {1, landing.kind, landing.into, landing.commit, landing.salvage});
  }
  role::ReportMerge merge() {
    return std::get<role::ReportMerge>(good(prepare_merge(loop, {landing})));
  }
};

TEST_CASE("prepare: one commit with the work, the roadmap and the reset register; nothing moves") {
  Site s;
  const std::string before = s.status();
  s.prepare();
  const std::string commit = s.landing.commit.str();
  CHECK(s.file(commit, "work.txt") == "work\n");
  CHECK(s.file(commit, "docs/ROADMAP.md") == "- [x] F001: Log in\n- [ ] F002: Search\n");
  CHECK(s.file(commit, "docs/agents/state.json") == document::render_register(s.landing.reset));
  CHECK(s.file(commit, "docs/current/T01-form.md") == "(none)");
  CHECK(s.file(s.landing.salvage, "docs/current/T01-form.md") == "# T01: Form\n");
  CHECK(s.repo.git({"rev-parse", commit + "^"}) == s.landing.tip.str());
  CHECK(s.at(kBranch) == s.landing.tip.str());
  CHECK(s.status() == before);
  // Unreferenced objects would be pruned.
  s.repo.git({"gc", "-q", "--prune=now"});
  CHECK(s.repo.git_ok({"cat-file", "-e", commit}));
}

TEST_CASE("merge: by hand, with the roadmap as it was there, the feature's line is still set") {
  Site s;
  s.prepare();
  s.move_main("docs/ROADMAP.md", "- [ ] F001: Log in\n- [ ] F002: Search\n- [ ] F003: Pay\n");
  const std::string main = s.at("main");
  const std::string tree = s.repo.git({"rev-parse", "main^{tree}"});
  s.repo.git({"update-ref", "refs/heads/main",
              s.repo.git({"commit-tree", "-p", main, "-p", s.landing.commit.str(), "-m", "by hand",
                          tree})});
  const role::ReportMerge made = s.merge();
  CHECK(made.onto.str() == s.at("main"));
  CHECK(made.tree.empty());
  CHECK(s.file(made.merged.str(), "docs/ROADMAP.md") ==
        "- [x] F001: Log in\n- [ ] F002: Search\n- [ ] F003: Pay\n");
  CHECK(s.repo.git({"rev-parse", made.merged.str() + "^"}) == s.at("main"));
  s.repo.git({"update-ref", "refs/heads/main", made.merged.str()});
  CHECK(s.merge().merged == made.merged);  // once
}

TEST_CASE("prepare: a task's commit leaves the register as it was; ignored files stay out") {
  Site s;
  s.repo.write(".git/info/exclude", "*.log\n");
  s.repo.write("x.log", "");
  s.landing.kind = role::LandingKind::task, s.landing.task = "T01";
  s.prepare();
  CHECK(s.repo.git({"diff", "--name-only", s.landing.tip.str(), s.landing.commit.str()}) ==
        "docs/current/T01-form.md\nwork.txt");
  CHECK(s.landing.salvage.empty());
}

TEST_CASE("prepare: another branch, or one that moved, is trouble") {
  Site s;
  s.repo.git({"switch", "-q", "main"});
  const auto other = good(prepare_commit(s.loop, {s.landing}));
  CHECK(std::get<role::ReportLandingTrouble>(other).what ==
        kBranch + " is not checked out any more");
  s.repo.git({"switch", "-q", kBranch});
  s.repo.commit("more");
  const auto moved = good(prepare_commit(s.loop, {s.landing}));
  CHECK(std::get<role::ReportLandingTrouble>(moved).what ==
        kBranch + " has moved since it was approved");
}

TEST_CASE("merge: a fast-forward, a merge commit, and what main has already") {
  Site s;
  s.prepare();
  CHECK(s.merge().merged == s.landing.commit);
  s.move_main("theirs.txt", "theirs");
  const role::ReportMerge made = s.merge();
  CHECK(made.onto.str() == s.at("main"));
  CHECK(s.repo.git({"log", "-1", "--format=%P", made.merged.str()}) ==
        s.at("main") + " " + s.landing.commit.str());
  CHECK(s.file(made.merged.str(), "theirs.txt") == "theirs");
  s.repo.git({"update-ref", "refs/heads/main", made.merged.str()});
  CHECK(s.merge().merged == made.merged);
}

TEST_CASE("merge: our own files never conflict, others do and are named") {
  Site s;
  s.prepare();
  s.move_main("docs/ROADMAP.md", "- [ ] F001: Log in\n- [x] F002: Search\n");
  s.move_main("docs/agents/state.json", "theirs");
  s.move_main("docs/current/T01-form.md", "theirs");
  const role::ReportMerge made = s.merge();
  CHECK(made.conflicts.empty());
  const std::string merged = made.merged.str();
  CHECK(s.file(merged, "docs/ROADMAP.md") == "- [x] F001: Log in\n- [x] F002: Search\n");
  CHECK(s.file(merged, "docs/agents/state.json") == document::render_register(s.landing.reset));
  s.move_main("work.txt", "theirs");
  CHECK(s.merge().conflicts == Texts{"work.txt"});
}

TEST_CASE("clear: the tree goes back, once or twice; an edit since is named and stays") {
  Site s;
  s.prepare();
  SUBCASE("as approved") {
    for (int i = 0; i < 2; ++i) CHECK(std::holds_alternative<role::ReportCleared>(good(s.clear())));
    CHECK(good(s.loop.git().branch()) == "main");
    CHECK(s.status() == "?? docs/agents/state.json");
    CHECK(TestRepo::read(s.repo.top / "docs/agents/state.json") == "live");
  }
  SUBCASE("edited") {
    s.repo.write("work.txt", "mine\n");
    const auto filed = good(s.clear());
    CHECK(std::get<role::ReportLandingTrouble>(filed).what.contains("work.txt"));
    CHECK(TestRepo::read(s.repo.top / "work.txt") == "mine\n");
    CHECK(good(s.loop.git().branch()) == kBranch);
  }
}

TEST_CASE("move: by compare-and-swap; the index follows where it is checked out") {
  Site s;
  s.prepare();
  const role::MoveBranch move{1,     role::Stage::commit, kBranch, s.landing.tip, s.landing.commit,
                              false, s.landing.salvage};
  SUBCASE("moved") {
    CHECK_FALSE(good(move_landed_branch(s.loop, move)));
    CHECK(s.at(kBranch) == s.landing.commit.str());
    CHECK(s.repo.git({"diff", "--cached", "--name-only"}).empty());
    CHECK(std::filesystem::exists(s.repo.top / "docs/current/T01-form.md"));
  }
  SUBCASE("somebody else was first") {
    s.repo.git({"commit", "-q", "--allow-empty", "-m", "theirs"});
    const std::string theirs = s.at(kBranch);
    CHECK_FALSE(good(move_landed_branch(s.loop, move)));
    CHECK(s.at(kBranch) == theirs);
    CHECK(s.repo.git({"diff", "--cached", "--name-only"}).empty());
  }
}

TEST_CASE("move: files of a checked out default branch go along, but none that is not committed") {
  Site s;
  s.prepare();
  good(s.clear());
  const role::MoveBranch move{
      1,    role::Stage::move, "main", CommitId(s.at("main")), s.landing.commit,
      true, s.landing.salvage};
  s.repo.write("work.txt", "mine\n");
  const auto filed = good(move_landed_branch(s.loop, move));
  REQUIRE(filed);
  CHECK(std::get<role::ReportLandingTrouble>(*filed).what.contains("work.txt"));
  CHECK(s.at("main") == move.from.str());
  std::filesystem::remove(s.repo.top / "work.txt");
  CHECK_FALSE(good(move_landed_branch(s.loop, move)));
  CHECK(TestRepo::read(s.repo.top / "work.txt") == "work\n");
  CHECK(s.status() == "M docs/agents/state.json");
}

TEST_CASE("documents: what is no plain file is refused by name, and nothing is waited for") {
  Site s;
  const Path reg = s.repo.top / "docs/agents/state.json";
  std::filesystem::remove(reg);
  CHECK_FALSE(good(s.loop.document("docs/agents/state.json")).exists);
  REQUIRE(::mkfifo(reg.c_str(), 0600) == 0);
  CHECK(bad(s.loop.documents(), Exit::refused).what == "docs/agents/state.json is no plain file");
  std::filesystem::remove(reg);
  std::filesystem::create_directory(reg);
  CHECK(bad(s.loop.documents(), Exit::refused).what == "docs/agents/state.json is a directory");
  std::filesystem::remove(reg);
  s.repo.write("docs/agents/state.json", std::string((1u << 20) + 1, 'x'));
  CHECK(bad(s.loop.documents(), Exit::refused).what == "docs/agents/state.json is too large");
}

TEST_CASE("documents: a write is made only on what it was decided on, and keeps the mode") {
  Site s;
  const std::string path = "docs/agents/state.json";
  const Hash before = good(s.loop.document(path)).hash;
  std::filesystem::permissions(s.repo.top / path, std::filesystem::perms(0640));
  good(s.loop.write_document(path, Hash("other"), "new"));
  CHECK(good(s.loop.document(path)).text == "live");
  good(s.loop.write_document(path, before, "new"));
  CHECK(good(s.loop.document(path)).text == "new");
  CHECK(std::filesystem::status(s.repo.top / path).permissions() == std::filesystem::perms(0640));
}

}  // namespace
}  // namespace pf
