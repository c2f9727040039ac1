// Attacks by what an agent can write: each leaves a mark outside where git runs it unconfined.
#include "git/taking.h"

#include "git/test_repo.h"
#include "git/user_repository.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

namespace fs = std::filesystem;

bool can_confine(TestRepo& repo) {
  const Enforcement enforcement = find_enforcement(repo.os);
  if (!enforcement.program) MESSAGE("not run: " << enforcement.why_not);
  return enforcement.program.has_value();
}

// A program that leaves the mark and passes its input on.
void write_program(const Path& at, const Path& mark) {
  TestRepo::write_at(at, fmt::format("#!/bin/sh\necho ran >>'{}'\ncat\n", mark.string()));
  fs::permissions(at, fs::perms::owner_all);
}

// The repository with a submodule at `sub` whose files are checked out in the bubble.
struct WithSubmodule {
  TestRepo repo;
  Path mark = repo.root() / "mark";
  Path origin = repo.root() / "origin";
  std::string at_base;

  WithSubmodule() {
    fs::create_directories(origin);
    repo.git({"init", "-q", "-b", "main"}, origin);
    TestRepo::write_at(origin / "file", "one\n");
    repo.git({"add", "-A"}, origin);
    commit(origin, "one");
    at_base = repo.git({"rev-parse", "HEAD"}, origin);
    repo.git(
        {"-c", "protocol.file.allow=always", "submodule", "add", "-q", origin.string(), "sub"});
    repo.commit("a submodule");
  }
  void commit(const Path& where, const std::string& message) {
    repo.git({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", message}, where);
  }
  // What the agent puts in the submodule's place: a repository whose configuration runs a program.
  void plant(const Path& sub) {
    write_program(repo.root() / "evil", mark);
    fs::remove_all(sub);
    repo.git({"clone", "-q", origin.string(), sub.string()});
    TestRepo::write_at(sub / ".git/info/attributes", "* filter=e\n");
    for (const char* key : {"filter.e.clean", "filter.e.smudge", "core.fsmonitor"})
      repo.git({"config", key, (repo.root() / "evil").string()}, sub);
    TestRepo::write_at(sub / "file", "two\n");
  }
};

TEST_CASE("taking: git does not enter a submodule that an agent has replaced") {
  WithSubmodule with;
  TestBubble bubble(with.repo);
  CHECK(both(bubble).changed.empty());
  with.plant(bubble.at / "sub");
  fs::remove(with.mark);  // by the planting itself
  CHECK(both(bubble).changed.empty());
  CHECK(!fs::exists(with.mark));
  with.repo.git({"status"}, bubble.at);  // as git does by itself
  CHECK(fs::exists(with.mark));
}

TEST_CASE("taking: the commit that a submodule is at is part of the tree") {
  WithSubmodule with;
  TestBubble bubble(with.repo);
  const Path sub = bubble.at / "sub";
  CHECK(TestRepo::read(sub / "file") == "one\n");  // from local objects
  CHECK(with.repo.git({"status", "--porcelain"}, bubble.at) == "");
  fs::remove_all(sub);
  with.repo.git({"clone", "-q", with.origin.string(), sub.string()});
  CHECK(both(bubble).changed.empty());
  TestRepo::write_at(sub / "file", "two\n");
  CHECK(both(bubble).changed.empty());
  with.repo.git({"add", "-A"}, sub);
  with.commit(sub, "two");
  const TreeFact moved = both(bubble);
  REQUIRE(paths_of(moved.changed) == Texts{"M sub"});
  CHECK(with.repo.git({"ls-tree", moved.tree.str(), "sub"}) ==
        fmt::format("160000 commit {}\tsub", with.repo.git({"rev-parse", "HEAD"}, sub)));
  with.repo.git({"pack-refs", "--all"}, sub);
  CHECK(both(bubble).tree == moved.tree);
  SUBCASE("it is gone") {
    fs::remove_all(sub);
    CHECK(paths_of(both(bubble).changed) == Texts{"D sub"});
  }
  SUBCASE("it is a file") {
    fs::remove_all(sub);
    TestRepo::write_at(sub, "x");
    CHECK(both(bubble).changed.at(0).mode == "100644");
  }
  SUBCASE("it is no repository any more") {
    fs::remove_all(sub / ".git");
    CHECK(both(bubble).changed.empty());
  }
}

// The user's own filter, which is a script of the repository.
struct WithFilter {
  TestRepo repo;
  Path mark = repo.root() / "mark";

  WithFilter() {
    write_program(repo.top / "tools/clean.sh", "/dev/null");
    repo.git({"config", "filter.x.clean", "./tools/clean.sh"});
    repo.git({"config", "filter.x.smudge", "./tools/clean.sh"});
    repo.write(".gitattributes", "*.bin filter=x\n");
    repo.write("a.bin", "a\n");
    repo.write("z.bin", "z\n");  // is checked out after the script
    repo.commit("a filter");
  }
};

TEST_CASE("taking: a filter that an agent has edited runs, and reaches nothing") {
  WithFilter with;
  if (!can_confine(with.repo)) return;
  TestBubble bubble(with.repo);
  const Path script = bubble.at / "tools/clean.sh";
  ::setenv("PF_TEST_SECRET", "hunter2", 1);
  TestRepo::write_at(
      script, fmt::format("#!/bin/sh\n"
                          "echo ran >'{0}/mark'; echo ran >'{1}/mark'; echo x >'{2}/hooks/evil'\n"
                          "printf %s \"$PF_TEST_SECRET\"; ls '{0}/home' 2>/dev/null; cat\n",
                          with.repo.root().string(), bubble.at.string(),
                          (with.repo.top / ".git").string()));
  TestRepo::write_at(with.repo.root() / "home/.netrc", "secret");
  TestRepo::write_at(bubble.at / "a.bin", "b\n");
  const TreeFact fact = both(bubble);
  ::unsetenv("PF_TEST_SECRET");
  CHECK(paths_of(fact.changed) == Texts{"M a.bin", "M tools/clean.sh"});
  CHECK(with.repo.git({"show", fact.tree.str() + ":a.bin"}) == "b");  // it ran, and told nothing
  CHECK(!fs::exists(with.mark));
  CHECK(!fs::exists(bubble.at / "mark"));
  CHECK(!fs::exists(with.repo.top / ".git/hooks/evil"));
  CHECK(!fs::exists(bubble.workspace.spec().index));  // it could have written the index
}

TEST_CASE("taking: which filters are trusted") {
  for (const char* trusted : {"git-lfs clean -- %f", "git-lfs filter-process",
                              "\"git-crypt\" clean", "/usr/bin/clean --fast", "cat"})
    CHECK_MESSAGE(is_trusted_filter(trusted, "/home/a/repo"), trusted);
  for (const char* doubtful :
       {"./tools/clean.sh", "tools/clean.sh", "sh tools/clean.sh", "node clean.js",
        "/home/a/repo/tools/clean.sh", "/usr/bin/../../home/a/repo/x", "cat; sh x",
        "sh -c \"$(x)\"", "/usr/bin/env ./x", "~/bin/clean"})
    CHECK_MESSAGE(!is_trusted_filter(doubtful, "/home/a/repo"), doubtful);
}

TEST_CASE("taking: an object that a filter plants does not stand under another's name") {
  WithFilter with;
  if (!can_confine(with.repo)) return;
  TestBubble bubble(with.repo);
  // A loose object named as "good\n", with another content.
  const std::string good_id = "12799ccbe7ce445b11b7bd4833bcc2c2ce1b48b7";
  TestRepo::write_at(bubble.at / "tools/clean.sh",
                     fmt::format("#!/bin/sh\ncd \"$GIT_OBJECT_DIRECTORY\"\n"
                                 "bad=$(echo bad | git hash-object -w --no-filters --stdin)\n"
                                 "mkdir -p {0}; cp \"${{bad%${{bad#??}}}}/${{bad#??}}\" {0}/{1}\n"
                                 "cat\n",
                                 good_id.substr(0, 2), good_id.substr(2)));
  TestRepo::write_at(bubble.at / "a.bin", "b\n");
  bubble.shot();
  CHECK(with.repo.git({"cat-file", "blob", "67be85f1274474029aad8a75b823592324305aa4"}) ==
        "bad");  // it ran
  CHECK(!with.repo.git_ok({"cat-file", "-e", good_id}));
  CHECK(with.repo.git_ok({"fsck", "--full"}));
}

TEST_CASE("taking: where nothing confines it, a filter that an agent gives a file is refused") {
  TestRepo repo;
  const Path mark = repo.root() / "mark";
  write_program(repo.top / "tools/clean.sh", "/dev/null");
  for (const char* way : {"clean", "smudge"})
    repo.git({"config", fmt::format("filter.x.{}", way), "./tools/clean.sh"});
  repo.write(".gitignore", "ignored.dat\n");
  repo.write("a.dat", "a\n");
  repo.commit("a filter that is for nothing");
  TestBubble bubble(repo);
  const auto take = [&] {
    PrivateIndex index = good(PrivateIndex::take(repo.os, repo.root() / "scratch/index", true));
    GitRules rules = good(rules_now(repo.os, repo.repository(), bubble.at));
    rules.confined = false;  // bubblewrap cannot start
    good(make_git_dir(repo.os, rules, index.rules(), repo.top / ".git"));
    TakingSpec spec = good(
        taking_by(repo.os, rules, {.git_dir = index.rules(), .objects = repo.top / ".git/objects"},
                  {repo.repository(), {}, bubble.at, repo.head()}));
    Taking taking(repo.os, std::move(spec), index);
    good(taking.begin());
    const auto taken = taking.take();
    // Also one that is given behind our look fails instead of running.
    if (!taken) CHECK(!taking.git().run({"add", "-A"})->ok());
    return taken;
  };
  write_program(bubble.at / "tools/clean.sh", mark);
  TestRepo::write_at(bubble.at / "ignored.dat", "b\n");
  good(take());
  TestRepo::write_at(bubble.at / ".gitattributes", "*.dat filter=x\n");
  SUBCASE("a tracked file") { TestRepo::write_at(bubble.at / "a.dat", "b\n"); }
  SUBCASE("a new one") {
    fs::remove(bubble.at / "a.dat");
    TestRepo::write_at(bubble.at / "b.dat", "b\n");
  }
  const Error error = bad(take(), Exit::refused);
  CHECK(error.what == "git's filters cannot be confined on this machine");
  CHECK(error.why.contains(".dat (x)"));
  CHECK(!error.why.contains("ignored"));
  CHECK(!fs::exists(mark));
}

TEST_CASE("taking: looking at the user's checkout runs neither filters nor submodules outside") {
  WithFilter with;
  if (!can_confine(with.repo)) return;
  write_program(with.repo.top / "tools/clean.sh", with.mark);
  with.repo.write("a.bin", "c\n");
  const auto seen =
      good(status_of(with.repo.os, with.repo.repository(),
                     {.git_dir = with.repo.top / ".git", .work_tree = with.repo.top}, "all"));
  CHECK(seen == Texts{" M a.bin", " M tools/clean.sh"});
  CHECK(good(user_repository(with.repo.os, with.repo.spec(), "")->dirty()) ==
        Texts{"a.bin", "tools/clean.sh"});
  good(user_repository(with.repo.os, with.repo.spec(), "")->snapshot({}));
  CHECK(!fs::exists(with.mark));
  with.repo.git({"status"});
  CHECK(fs::exists(with.mark));
}

TEST_CASE("taking: a checkout's filter writes in the checkout alone, and not its .git") {
  WithFilter with;
  if (!can_confine(with.repo)) return;
  TestBubble bubble(with.repo);
  TestRepo::write_at(bubble.at / "tools/clean.sh",
                     fmt::format("#!/bin/sh\necho ran >'{}'\necho here >\"$GIT_WORK_TREE/here\"\n"
                                 "echo x >\"$GIT_WORK_TREE/.git/config\"\ncat\n",
                                 with.mark.string()));
  const TreeFact fact = bubble.shot();
  const Path to = with.repo.root() / "checked";
  good(bubble.workspace.check_out(fact.tree, to));
  good(bubble.workspace.check_out(fact.tree, to));
  CHECK(TestRepo::read(to / "a.bin") == "a\n");
  CHECK(TestRepo::read(to / "here") == "here\n");  // it ran
  CHECK(!fs::exists(with.mark));
}

TEST_CASE("taking: a file of 100 GB, which costs nothing to make, is refused by name") {
  TestRepo repo;
  repo.write(".gitignore", "ignored\n");
  repo.commit("ignore");
  TestBubble bubble(repo);
  const auto make = [&](const char* name) {
    TestRepo::write_at(bubble.at / name, "");
    fs::resize_file(bubble.at / name, 100ull << 30);
  };
  make("ignored");
  bubble.shot(true);
  for (const bool cold : {false, true})
    for (const char* name : {"dir/new", "README"}) {
      make(name);
      const Error error = bad(bubble.workspace.snapshot(cold), Exit::refused);
      CHECK(error.what == fmt::format("'{}' is too large", name));
      CHECK(error.fix.contains(".gitignore"));
      fs::remove(bubble.at / name);
    }
  CHECK(paths_of(bubble.shot().changed) == Texts{"D README"});
}

TEST_CASE("taking: many files that are each below the limit are refused by the largest's name") {
  TestRepo repo;
  repo.write(".gitignore", "/ignored [0-9]\n/ignored [0-9][0-9]\n");
  repo.write("grown missing 7", "small\n");
  repo.commit("ignore");
  TestBubble bubble(repo);
  const auto make = [&](const std::string& name, std::uint64_t bytes) {
    TestRepo::write_at(bubble.at / name, "");
    fs::resize_file(bubble.at / name, bytes);
  };
  for (int i = 0; i < 20; ++i) make(fmt::format("ignored {}", i), 1900u << 20);
  bubble.shot(true);
  const std::string base = fmt::format("new {} {}", '"', "missing");
  SUBCASE("new ones") {
    for (int i = 0; i < 20; ++i) make(fmt::format("{} {}", base, i), 1900u << 20);
    make("ignored 1\nlargest", 1901u << 20);
  }
  SUBCASE("one that was there, and new ones") {
    for (int i = 0; i < 9; ++i) make(fmt::format("{} {}", base, i), 500u << 20);
    make("grown missing 7", 1901u << 20);
  }
  for (const bool cold : {false, true}) {
    const Error error = bad(bubble.workspace.snapshot(cold), Exit::refused);
    CHECK(error.what == "the change is too large");
    CHECK(error.why.starts_with("it adds more than 4 GB, the largest part in '"));
    CHECK((error.why.contains("'ignored 1 largest'") || error.why.contains("'grown missing 7'")));
    CHECK(error.fix.contains(".gitignore"));
  }
}

}  // namespace
}  // namespace pf
