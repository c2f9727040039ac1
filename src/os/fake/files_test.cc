#include "os/fake/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace pf {
namespace {

using namespace std::chrono_literals;

struct Machine {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles process(int number = 1) { return {disk, clock, number}; }
  std::optional<std::string> content(const Path& path) {
    return process(99).read_if_there(path).value();
  }
};

void write_at(Files& files, const Path& path, std::uint64_t offset, std::string_view bytes) {
  REQUIRE(files.open(path, Open::create).value()->write_at(offset, bytes).value() == bytes.size());
}

void sync(Files& files, const Path& path) {
  REQUIRE(files.open(path, Open::write).value()->sync());
}

// Lets `calls` calls through and kills the process at the next one.
auto kill_after(int calls) {
  return [calls](std::string_view, const Path&) mutable -> Status {
    if (calls-- == 0) throw Killed{};
    return {};
  };
}

}  // namespace

TEST_CASE("a crash forgets what was not synced") {
  Machine machine;
  auto files = machine.process();
  REQUIRE(files.make_directories("/made/deep"));
  REQUIRE(files.replace("/kept", "kept", Durable::yes));
  write_at(files, "/kept", 0, "lost and longer");
  write_at(files, "/no-name", 0, "synced");
  sync(files, "/no-name");
  machine.disk.crash();
  CHECK(machine.content("/kept") == "kept");
  CHECK(machine.content("/no-name") == std::nullopt);
  CHECK(machine.process().exists("/made/deep").value());
}

TEST_CASE("a synced name with content that was not is an empty file") {
  Machine machine;
  auto files = machine.process();
  write_at(files, "/file", 0, "content");
  REQUIRE(files.sync_directory("/"));
  machine.disk.crash();
  CHECK(machine.content("/file") == "");
}

TEST_CASE("removals and renames need a sync too") {
  Machine machine;
  auto files = machine.process();
  REQUIRE(files.make_directories("/a"));
  REQUIRE(files.make_directories("/b"));
  for (const char* name : {"/a/removed", "/a/renamed", "/a/moved", "/a/gone"})
    REQUIRE(files.replace(name, name, Durable::yes));
  REQUIRE(files.remove("/a/gone"));
  REQUIRE(files.sync_directory("/a"));
  REQUIRE(files.remove("/a/removed"));
  REQUIRE(files.rename("/a/renamed", "/a/other"));
  SUBCASE("not synced") {
    machine.disk.crash();
    CHECK(machine.content("/a/gone") == std::nullopt);
    CHECK(machine.content("/a/removed") == "/a/removed");
    CHECK(machine.content("/a/renamed") == "/a/renamed");
    CHECK(machine.content("/a/other") == std::nullopt);
  }
  SUBCASE("a move between directories is there once, whichever was synced") {
    REQUIRE(files.rename("/a/moved", "/b/moved"));
    REQUIRE(files.sync_directory("/b"));
    machine.disk.crash();
    CHECK(machine.content("/b/moved") == "/a/moved");
    CHECK(machine.content("/a/moved") == std::nullopt);
    CHECK(machine.content("/a/removed") == std::nullopt);
  }
}

TEST_CASE("a torn append never touches what was synced, and takes every shape") {
  const std::string synced = "synced line\n";
  const std::string appended(2000, 'x');
  std::set<std::string> shapes;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Machine machine;
    auto files = machine.process();
    REQUIRE(files.replace("/log", synced, Durable::yes));
    write_at(files, "/log", synced.size(), appended);
    machine.disk.crash_torn(seed);
    const std::string left = machine.content("/log").value();
    CAPTURE(seed);
    REQUIRE(left.starts_with(synced));
    REQUIRE(left.size() <= synced.size() + appended.size());
    const std::string tail = left.substr(synced.size());
    if (tail.empty())
      shapes.insert("nothing");
    else if (tail == appended)
      shapes.insert("all");
    else if (tail.find('\0') != std::string::npos)
      shapes.insert("zeros");
    else
      shapes.insert("prefix");
  }
  CHECK(shapes == std::set<std::string>{"all", "nothing", "prefix", "zeros"});
}

TEST_CASE("the same seed tears the same way") {
  const auto left = [](std::uint64_t seed) {
    Machine machine;
    auto files = machine.process();
    for (int i = 0; i < 5; ++i)
      write_at(files, "/file" + std::to_string(i), 0, std::string(1000, 'x'));
    machine.disk.crash_torn(seed);
    std::vector<std::optional<std::string>> result;
    for (int i = 0; i < 5; ++i) result.push_back(machine.content("/file" + std::to_string(i)));
    return result;
  };
  CHECK(left(7) == left(7));
  CHECK(left(7) != left(8));
}

TEST_CASE("a durable replace, killed at every call and crashed: the old content or the new") {
  for (int calls = 0;; ++calls) {
    Machine machine;
    REQUIRE(machine.process().replace("/file", "old", Durable::yes));
    auto files = machine.process(2);
    files.before = kill_after(calls);
    bool finished = false;
    try {
      finished = files.replace("/file", "new and longer", Durable::yes).has_value();
    } catch (const Killed&) {
    }
    machine.disk.crash_torn(static_cast<std::uint64_t>(calls));
    const auto left = machine.content("/file");
    CAPTURE(calls);
    CHECK((left == "new and longer" || (!finished && left == "old")));
    if (finished) break;
    REQUIRE(calls < 50);
  }
}

TEST_CASE("a killed process holds nothing and does nothing more") {
  Machine machine;
  auto victim = machine.process(1);
  auto other = machine.process(2);
  const auto held = victim.open("/lock", Open::create).value();
  REQUIRE(held->lock(0s).value());
  const auto waiting = other.open("/lock", Open::write).value();
  CHECK(!waiting->lock(0s).value());
  victim.before = [](std::string_view call, const Path&) -> Status {
    if (call == "write_at") throw Killed{3};
    return {};
  };
  CHECK_THROWS_AS((void)held->write_at(0, "abcdef"), Killed);
  CHECK(waiting->lock(0s).value());
  CHECK(!held->write_at(0, "more"));
  CHECK(!held->lock(0s));
  CHECK(!victim.remove("/lock"));
  CHECK(machine.content("/lock") == "abc");
}

TEST_CASE("processes that outlive a crash of the disk do nothing more") {
  Machine machine;
  auto before = machine.process();
  const auto file = before.open("/file", Open::create).value();
  const auto bell = before.listen("/bells").value();
  REQUIRE(before.sync_directory("/"));
  machine.disk.crash();
  CHECK(!file->write_at(0, "late"));
  CHECK(!before.open("/file", Open::create));
  CHECK(!bell->wait(1s));
  CHECK(machine.content("/file") == "");
  auto after = machine.process();
  CHECK(after.open("/file", Open::write).value()->lock(0s).value());
}

TEST_CASE("a lock is waited for while the others run") {
  Machine machine;
  auto files = machine.process();
  auto other = machine.process(2);
  auto held = files.open("/lock", Open::create).value();
  REQUIRE(held->lock(0s).value());
  const auto waiting = other.open("/lock", Open::write).value();
  const MonoTime start = machine.clock.mono();
  CHECK(!waiting->lock(50ms).value());
  CHECK(machine.clock.mono() - start == 50ms);
  int turns = 0;
  other.blocked = [&] {
    if (++turns == 10) held.reset();
  };
  CHECK(waiting->lock(1s).value());
  CHECK(turns == 10);
}

TEST_CASE("a bell wakes a waiting process") {
  Machine machine;
  auto files = machine.process();
  auto other = machine.process(2);
  const auto bell = files.listen("/bells").value();
  files.blocked = [&] { other.ring("/bells"); };
  CHECK(bell->wait(1s));
  files.blocked = {};
  CHECK(!bell->wait(1s));
}

TEST_CASE("injected errors and a full disk") {
  Machine machine;
  auto files = machine.process();
  REQUIRE(files.replace("/file", "old", Durable::yes));
  const auto file = files.open("/file", Open::write).value();
  machine.disk.free_bytes = 4;
  CHECK(file->write_at(2, "123456789").value() == 5);
  CHECK(file->write_at(7, "x").value() == 0);
  CHECK(file->write_at(0, "OLD").value() == 3);
  CHECK(!files.replace("/file", "new", Durable::yes));
  CHECK(machine.content("/file") == "OLD2345");
  CHECK(files.list("/").value().size() == 1);
  machine.disk.free_bytes.reset();
  files.before = [](std::string_view call, const Path&) -> Status {
    if (call == "sync") return fail(Exit::machine, "injected");
    return {};
  };
  CHECK(file->sync().error().what == "injected");
  CHECK(files.replace("/file", "new", Durable::yes).error().what == "injected");
  CHECK(machine.content("/file") == "OLD2345");
  machine.disk.crash();
  CHECK(machine.content("/file") == "old");
}

TEST_CASE(
    "after a failed sync the bytes can be read and are never written, unless put there again") {
  for (const bool again : {false, true}) {
    Machine machine;
    auto files = machine.process();
    REQUIRE(files.replace("/file", "old", Durable::yes));
    const auto file = files.open("/file", Open::write).value();
    REQUIRE(file->write_at(3, "lost").value() == 4);
    files.before = [](std::string_view, const Path&) { return fail(Exit::machine, "injected"); };
    CHECK_FALSE(file->sync());
    files.before = nullptr;
    CHECK(machine.content("/file") == "oldlost");
    REQUIRE(file->write_at(7, "later").value() == 5);
    if (again) REQUIRE(file->write_at(3, "lost").value() == 4);
    CHECK(file->sync());
    CHECK(machine.content("/file") == "oldlostlater");
    machine.disk.crash();
    CHECK(machine.content("/file") ==
          (again ? "oldlostlater" : std::string("old\0\0\0\0later", 12)));
  }
}

TEST_CASE("a file that goes away while it is replaced has no mode to keep") {
  Machine machine;
  auto files = machine.process();
  auto other = machine.process(2);
  REQUIRE(files.replace("/file", "old", Durable::yes));
  files.before = [&](std::string_view call, const Path&) -> Status {
    return call == "copy_mode" ? other.remove("/file") : Status{};
  };
  CHECK(files.replace("/file", "new", Durable::no));
  CHECK(machine.content("/file") == "new");
}

TEST_CASE("a file that somebody writes while it is replaced keeps what he wrote") {
  Machine machine;
  auto files = machine.process();
  auto other = machine.process(2);
  REQUIRE(files.replace("/file", "old", Durable::yes));
  CHECK(files.replace_unchanged("/file", "old", "new", Durable::yes).value());
  CHECK(machine.content("/file") == "new");
  CHECK(!files.replace_unchanged("/file", "old", "newer", Durable::yes).value());
  files.before = [&](std::string_view call, const Path&) -> Status {
    return call == "sync" ? other.replace("/file", "edited", Durable::yes) : Status{};
  };
  CHECK(!files.replace_unchanged("/file", "new", "newer", Durable::yes).value());
  CHECK(machine.content("/file") == "edited");
  CHECK(files.list("/").value().size() == 1);
}

TEST_CASE("remove_all may be killed in the middle") {
  Machine machine;
  auto files = machine.process();
  REQUIRE(files.make_directories("/dir"));
  for (const char* name : {"/dir/a", "/dir/b", "/dir/c"}) write_at(files, name, 0, "x");
  files.before = kill_after(2);
  CHECK_THROWS_AS((void)files.remove_all("/dir"), Killed);
  CHECK(machine.process(2).list("/dir").value().size() == 2);
  CHECK(machine.process(2).remove_all("/dir"));
  CHECK(machine.process(2).list("/").value().empty());
}

}  // namespace pf
