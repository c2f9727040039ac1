#include "loop/held_names.h"

#include <doctest/doctest.h>

#include "loop/quarantine.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"

namespace pf {
namespace {

constexpr std::array<OwnFiles::Name, 3> kNames = {
    {{"settings.json", "{}\n"}, {"CLAUDE.md", ""}, {"hooks"}}};
constexpr std::array<std::string_view, 1> kWritten = {"auth.json"};

struct Holding {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1000};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  Path home = "/home/dev", own = home / ".claude";

  Holding() {
    REQUIRE(files.make_directories(own));
    env.variables["HOME"] = home.string();
  }
  // A process that becomes an agent.
  Status begin(int pid, const std::string& loop = "a") {
    env.process = pid;
    processes.living.insert(pid);
    AgentLaunch launch;
    launch.own_directory = own;
    const auto names = names_to_hold(os, launch, {kNames, kWritten}, loop);
    return hold_names(os, names.value().value());
  }
  void end(int pid) { processes.living.erase(pid); }
  void put(const char* name, const char* text) {
    REQUIRE(files.make_directories((own / name).parent_path()));
    REQUIRE(files.replace(own / name, text, Durable::no));
  }
  std::string listed() {
    std::string names;
    const auto all = files.list(own);
    for (const Entry& entry : all.value()) names += entry.name + " ";
    return names;
  }
  // What is in quarantine, by its names there.
  std::string found() {
    std::string names;
    const auto all = quarantined(os);
    for (const QuarantinedFile& one : all.value()) names += one.from.filename().string() + " ";
    return names;
  }
  std::string id_of(const char* name) {
    const auto all = quarantined(os);
    for (const QuarantinedFile& one : all.value())
      if (one.from.filename() == name) return one.id;
    return "";
  }
};

}  // namespace

TEST_CASE("missing names are held while an agent runs, and go with the last one") {
  Holding world;
  REQUIRE(world.begin(10));
  CHECK(world.listed() == "CLAUDE.md hooks settings.json ");
  CHECK(world.files.read(world.own / "settings.json") == "{}\n");
  REQUIRE(world.begin(11, "b"));
  world.end(10);
  REQUIRE(release_names(world.os));
  CHECK(world.listed() == "CLAUDE.md hooks settings.json ");
  world.end(11);
  REQUIRE(release_names(world.os));
  CHECK(world.listed().empty());
  CHECK(world.found().empty());
}

TEST_CASE("what the user has, or has written meanwhile, stays as it is") {
  Holding world;
  world.put("settings.json", "mine");
  REQUIRE(world.begin(10));
  world.put("CLAUDE.md", "mine too");
  world.put("hooks/a.sh", "mine three");
  world.end(10);
  REQUIRE(release_names(world.os));
  CHECK(world.listed() == "CLAUDE.md hooks settings.json ");
  CHECK(world.files.read(world.own / "settings.json") == "mine");
  CHECK(world.files.read(world.own / "CLAUDE.md") == "mine too");
}

TEST_CASE("after a crash the next agent's start removes what was held, and holds it again") {
  Holding world;
  REQUIRE(world.begin(10));
  world.end(10);
  REQUIRE(world.files.remove(world.own / "CLAUDE.md"));
  REQUIRE(world.begin(12));
  CHECK(world.listed() == "CLAUDE.md hooks settings.json ");
  world.end(12);
  REQUIRE(release_names(world.os));
  CHECK(world.listed().empty());
}

TEST_CASE("a new setting beside them goes to quarantine; what the program writes stays") {
  Holding world;
  world.put("old.json", "{}");
  REQUIRE(world.begin(10, "bubble"));
  world.put("auth.json", "token");  // the program's own
  world.put("history.jsonl", "");
  world.put("evil.toml", "x");
  world.put("worse.json", "y");
  REQUIRE(release_names(world.os));
  CHECK(world.found().empty());  // the agent still runs
  world.end(10);
  REQUIRE(release_names(world.os));
  CHECK(world.listed() == "auth.json history.jsonl old.json ");
  const auto all = quarantined(world.os).value();
  REQUIRE(all.size() == 2);
  CHECK(world.found().contains("evil.toml"));
  CHECK(world.found().contains("worse.json"));
  const auto evil = quarantined(world.os, world.id_of("evil.toml")).value();
  CHECK(evil.from == world.own / "evil.toml");
  CHECK(evil.by == "bubble");
  CHECK_FALSE(evil.at.empty());
  CHECK(world.files.read(evil.kept) == "x");
}

TEST_CASE("a new directory with a program goes to quarantine whole, one of texts stays") {
  Holding world;
  REQUIRE(world.begin(10));
  world.put("scripts/deep/x.sh", "x");
  world.put("notes/a.txt", "x");
  world.end(10);
  REQUIRE(release_names(world.os));
  CHECK(world.listed() == "notes ");
  CHECK(world.found() == "scripts ");
  REQUIRE(restore_quarantined(world.os, world.id_of("scripts")));
  CHECK(world.files.read(world.own / "scripts/deep/x.sh") == "x");
  REQUIRE(world.begin(11));
  world.end(11);
  REQUIRE(release_names(world.os));
  CHECK(world.listed() == "notes scripts ");
}

TEST_CASE("what is in quarantine is restored, or forgotten, by the human's word") {
  Holding world;
  REQUIRE(world.begin(10));
  world.put("evil.toml", "x");
  world.put("worse.json", "y");
  world.end(10);
  REQUIRE(release_names(world.os));
  CHECK(restore_quarantined(world.os, "nothing").error().exit == Exit::refused);
  const std::string worse = world.id_of("worse.json");
  world.put("worse.json", "mine");
  CHECK(restore_quarantined(world.os, worse).error().exit == Exit::refused);
  REQUIRE(forget_quarantined(world.os, worse));
  CHECK(world.files.read(world.own / "worse.json") == "mine");

  // Restored while another agent runs, it is not that one's doing.
  REQUIRE(world.begin(11));
  REQUIRE(restore_quarantined(world.os, world.id_of("evil.toml")));
  CHECK(world.found().empty());
  world.end(11);
  REQUIRE(release_names(world.os));
  CHECK(world.found().empty());
  CHECK(world.files.read(world.own / "evil.toml") == "x");
}

TEST_CASE("a file that was not moved yet when we were killed is moved by the next one") {
  Holding world;
  REQUIRE(world.begin(10));
  world.put("evil.toml", "x");
  world.end(10);
  // As after the note and before the move.
  const Path left = state_directory(world.os).value() / "quarantine" / "left";
  REQUIRE(world.files.make_directories(left));
  REQUIRE(world.files.replace(left / "note.json", "{}", Durable::no));
  CHECK(world.found().empty());
  REQUIRE(release_names(world.os));
  CHECK(world.found() == "evil.toml ");
  CHECK_FALSE(world.files.exists(left).value());
}

TEST_CASE("a program without a directory of its own has nothing to hold") {
  Holding world;
  AgentLaunch launch;
  CHECK_FALSE(names_to_hold(world.os, launch, {kNames, kWritten}, "a").value());
  launch.own_directory = "/home/dev/.missing";
  CHECK_FALSE(names_to_hold(world.os, launch, {kNames, kWritten}, "a").value());
}

}  // namespace pf
